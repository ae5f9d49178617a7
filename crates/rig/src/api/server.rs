//! The listening side: one thread for each connection, one log for all.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::http::{self, HttpRequest};
use super::play::{Cue, Play};
use super::reply::{self, Shape};
use crate::request::{Kind, Request};
use crate::script::{ApiError, Script};

/// Starts to play `script` on a free port of the loopback device and returns the port.
pub(crate) fn start(script: Script, log: &Path) -> io::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = listener.local_addr()?.port();
    let stage = Stage {
        play: Play::new(script),
        log: File::create(log)?,
        number: 0,
        started: Instant::now(),
    };
    let stage = Arc::new(Mutex::new(stage));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let stage = Arc::clone(&stage);
            // A connection that breaks is the client's affair; the log shows what was asked.
            thread::spawn(move || serve(&stream, &stage).is_ok());
        }
    });
    Ok(port)
}

struct Stage {
    play: Play,
    log: File,
    number: usize,
    started: Instant,
}

impl Stage {
    /// Writes the request down before it is answered, so that a test never sees an effect earlier
    /// than its cause.
    fn note(&mut self, path: &str, kind: Kind, turn: Option<usize>, body: Value) -> io::Result<()> {
        self.number += 1;
        let at_us = u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX);
        let request = Request { at_us, path: path.to_owned(), kind, turn, body };
        let mut line = serde_json::to_vec(&request)?;
        line.push(b'\n');
        self.log.write_all(&line)
    }
}

fn serve(stream: &TcpStream, stage: &Mutex<Stage>) -> io::Result<()> {
    // With Nagle's algorithm each answer waits for a delayed acknowledgement, about 40 ms.
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    let mut writer = stream;
    while let Some(request) = http::read(&mut reader)? {
        writer.write_all(&answer(&request, stage)?)?;
        if request.last {
            break;
        }
    }
    Ok(())
}

fn answer(request: &HttpRequest, stage: &Mutex<Stage>) -> io::Result<Vec<u8>> {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let mut held = stage.lock().unwrap_or_else(PoisonError::into_inner);
    if request.method != "POST" || !request.path.ends_with("/v1/messages") {
        held.note(&request.path, Kind::Other, None, body)?;
        drop(held);
        return Ok(answer_other(request));
    }
    let Cue { kind, turn, reply } = held.play.next(&body);
    let model = body["model"].as_str().unwrap_or("scripted").to_owned();
    let streams = body["stream"] == true;
    held.note(&request.path, kind, turn, body)?;
    let number = held.number;
    drop(held);
    thread::sleep(Duration::from_millis(reply.delay_ms));
    let shape = Shape { number, model: &model, streams, request_bytes: request.body.len() };
    Ok(reply::write(&reply, &shape))
}

fn answer_other(request: &HttpRequest) -> Vec<u8> {
    if request.method == "HEAD" {
        return b"HTTP/1.1 200 scripted\r\ncontent-length: 0\r\n\r\n".to_vec();
    }
    if request.path.ends_with("/messages/count_tokens") {
        return http::json(200, &json!({"input_tokens": request.body.len() / 4}));
    }
    reply::write_error(&ApiError {
        status: 404,
        kind: "not_found_error".to_owned(),
        message: "not in the script".to_owned(),
    })
}
