mod forged;
mod judge;
mod laws;
mod pattern;
mod recognise;
mod trouble;
mod witness;
mod writes;
