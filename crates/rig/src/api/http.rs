//! As much HTTP/1.1 as the client speaks.

use std::io::{self, BufRead, Read};

use serde_json::Value;

/// A request with its whole body.
#[derive(Debug)]
pub(super) struct HttpRequest {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) body: Vec<u8>,
    pub(super) last: bool,
}

/// Reads the next request of a connection; `None` when the other side has closed it.
pub(super) fn read(from: &mut impl BufRead) -> io::Result<Option<HttpRequest>> {
    let mut line = String::new();
    if from.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let (Some(method), Some(path)) = (words.next(), words.next()) else {
        return Err(invalid("request line"));
    };
    let path = path.split('?').next().unwrap_or_default();
    let mut request = HttpRequest {
        method: method.to_owned(),
        path: path.to_owned(),
        body: Vec::new(),
        last: false,
    };
    let mut length = 0;
    let mut chunked = false;
    loop {
        let mut header = String::new();
        from.read_line(&mut header)?;
        let Some((name, value)) = header.split_once(':') else { break };
        let value = value.trim().to_ascii_lowercase();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().map_err(|_| invalid("content-length"))?,
            "transfer-encoding" => chunked = value.contains("chunked"),
            "connection" => request.last = value == "close",
            _ => {}
        }
    }
    if chunked {
        read_chunks(from, &mut request.body)?;
    } else {
        from.take(length).read_to_end(&mut request.body)?;
    }
    Ok(Some(request))
}

/// A whole answer with a JSON body.
pub(super) fn json(status: u16, body: &Value) -> Vec<u8> {
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status} scripted\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body.as_bytes()].concat()
}

/// A whole answer as a stream of server-sent events, one chunk for each.
pub(super) fn event_stream(events: &[Value]) -> Vec<u8> {
    let mut out = b"HTTP/1.1 200 scripted\r\ncontent-type: text/event-stream; charset=utf-8\r\n\
        cache-control: no-cache\r\ntransfer-encoding: chunked\r\n\r\n"
        .to_vec();
    for event in events {
        let name = event["type"].as_str().unwrap_or_default();
        let text = format!("event: {name}\ndata: {event}\n\n");
        out.extend_from_slice(format!("{:x}\r\n{text}\r\n", text.len()).as_bytes());
    }
    out.extend_from_slice(b"0\r\n\r\n");
    out
}

fn read_chunks(from: &mut impl BufRead, body: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let mut line = String::new();
        from.read_line(&mut line)?;
        let digits = line.trim().split(';').next().unwrap_or_default();
        let size = u64::from_str_radix(digits, 16).map_err(|_| invalid("chunk size"))?;
        from.take(size).read_to_end(body)?;
        from.read_line(&mut String::new())?;
        if size == 0 {
            return Ok(());
        }
    }
}

fn invalid(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_requests_one_after_the_other() {
        let mut wire: &[u8] =
            b"POST /v1/messages?beta=true HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}\
            HEAD / HTTP/1.1\r\nConnection: close\r\n\r\n";
        let first = read(&mut wire).unwrap().unwrap();
        assert_eq!(("POST", "/v1/messages"), (first.method.as_str(), first.path.as_str()));
        assert_eq!((first.body.as_slice(), first.last), (b"{}".as_slice(), false));
        let second = read(&mut wire).unwrap().unwrap();
        assert_eq!(("HEAD", true), (second.method.as_str(), second.last));
        assert!(read(&mut wire).unwrap().is_none());
    }

    #[test]
    fn joins_the_chunks_of_a_body() {
        let mut wire: &[u8] = b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n\
            3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n";
        assert_eq!(b"abc0123456789".as_slice(), read(&mut wire).unwrap().unwrap().body);
        assert!(wire.is_empty());
    }

    #[test]
    fn refuses_a_broken_chunk_size() {
        let mut wire: &[u8] = b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n";
        assert!(read(&mut wire).is_err());
    }
}
