//! The scripted Messages API: what the client believes to be the model.

mod http;
mod play;
mod reply;
mod server;

pub(crate) use server::start;
