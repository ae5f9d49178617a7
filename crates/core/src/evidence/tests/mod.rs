mod judge;
mod laws;
mod pattern;
mod recognise;
mod writes;
