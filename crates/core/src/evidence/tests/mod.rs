mod judge;
mod laws;
mod recognise;
mod writes;
