//! The server over HTTP/1.1 with connections kept alive, written by hand: it reads no more of a
//! request than it needs, so that its cost hides little of the client's.

use std::cell::RefCell;
use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::process;
use std::rc::Rc;
use std::thread;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::task::LocalSet;

use super::answers::Answers;
use super::spec::{Form, PeerSpec};
use crate::outcome::Outcome;

/// Ends a head, and a line of it.
const HEAD_END: &[u8] = b"\r\n\r\n";
const ACCEPTED: &[u8] = b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";
/// There is no stream beside the answers, and no session to end.
const NO_METHOD: &[u8] = b"HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n";
const JSON_HEAD: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length:         0\r\n\r\n";
const EVENT_HEAD: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nTransfer-Encoding: chunked\r\n\r\n";
/// The size of the only chunk, written over once it is known.
const CHUNK_HEAD: &[u8] = b"00000000\r\n";
const CHUNKS_END: &[u8] = b"\r\n0\r\n\r\n";
const SIZE_DIGITS: usize = 8;

/// Says its port on standard output and serves until standard input ends.
pub(crate) fn run_http(arguments: &[String]) -> Outcome<()> {
    let spec = PeerSpec::parse(arguments)?;
    let site = Rc::new(Site {
        answers: RefCell::new(Answers::prepare(spec)),
        form: spec.form,
    });
    // Whoever started this server holds the other end, and with it the server's life.
    thread::spawn(|| {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        process::exit(0);
    });
    let runtime = Builder::new_current_thread().enable_io().build()?;
    LocalSet::new().block_on(&runtime, accept(site))
}

async fn accept(site: Rc<Site>) -> Outcome<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let mut out = io::stdout();
    writeln!(out, "{}", listener.local_addr()?.port())?;
    out.flush()?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let site = Rc::clone(&site);
        tokio::task::spawn_local(async move {
            if let Err(error) = site.serve(stream).await {
                let _ = writeln!(io::stderr(), "the server's connection failed: {error}");
            }
        });
    }
}

/// What all connections share.
struct Site {
    answers: RefCell<Answers>,
    form: Form,
}

impl Site {
    /// Serves one connection until its end.
    async fn serve(&self, mut stream: TcpStream) -> Outcome<()> {
        let mut input = Vec::with_capacity(16 * 1024);
        let mut output = Vec::new();
        loop {
            let Some(request) = Request::find(&input)? else {
                match stream.read_buf(&mut input).await {
                    Ok(1..) => continue,
                    // A client that is done may drop its connection in any way.
                    Ok(0) | Err(_) => return Ok(()),
                }
            };
            self.answer(
                &request,
                &input[request.body_begin..request.end],
                &mut output,
            )?;
            input.drain(..request.end);
            stream.write_all(&output).await?;
            output.clear();
        }
    }

    fn answer(&self, request: &Request, body: &[u8], out: &mut Vec<u8>) -> Outcome<()> {
        if !request.is_post {
            out.extend_from_slice(NO_METHOD);
            return Ok(());
        }
        let head_begin = out.len();
        let (heads, digits_end, begin): (&[&[u8]], _, &[u8]) = match self.form {
            Form::Json => (&[JSON_HEAD], HEAD_END.len(), b""),
            Form::Event => (&[EVENT_HEAD, CHUNK_HEAD], 2, b"event: message\ndata: "),
        };
        for head in heads {
            out.extend_from_slice(head);
        }
        let body_begin = out.len();
        out.extend_from_slice(begin);
        let message_begin = out.len();
        self.answers.borrow_mut().answer(body, out)?;
        if out.len() == message_begin {
            out.truncate(head_begin);
            out.extend_from_slice(ACCEPTED);
            return Ok(());
        }
        match self.form {
            // The end of the line is for a pipe.
            Form::Json => out.truncate(out.len() - 1),
            // The empty line ends the event.
            Form::Event => out.push(b'\n'),
        }
        let size = out.len() - body_begin;
        let digits = match self.form {
            Form::Json => format!("{size:SIZE_DIGITS$}"),
            Form::Event => format!("{size:0SIZE_DIGITS$x}"),
        };
        let digits_end = body_begin - digits_end;
        out[digits_end - SIZE_DIGITS..digits_end].copy_from_slice(digits.as_bytes());
        if self.form == Form::Event {
            out.extend_from_slice(CHUNKS_END);
        }
        Ok(())
    }
}

/// Where a whole request lies in what was read.
#[derive(Debug, PartialEq)]
struct Request {
    is_post: bool,
    body_begin: usize,
    end: usize,
}

impl Request {
    /// The request at the beginning, once all of it is there.
    fn find(input: &[u8]) -> Outcome<Option<Self>> {
        let Some(head_end) = memchr::memmem::find(input, HEAD_END) else {
            return Ok(None);
        };
        let mut length = 0;
        for line in input[..head_end].split(|byte| *byte == b'\n') {
            let Some((name, value)) = split_header(line) else {
                continue;
            };
            if name.eq_ignore_ascii_case(b"content-length") {
                length = std::str::from_utf8(value)?.trim().parse::<usize>()?;
            } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
                return Err("this server reads no chunked requests".into());
            }
        }
        let body_begin = head_end + HEAD_END.len();
        let end = body_begin + length;
        Ok((input.len() >= end).then_some(Self {
            is_post: input.starts_with(b"POST "),
            body_begin,
            end,
        }))
    }
}

fn split_header(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = memchr::memchr(b':', line)?;
    Some((&line[..colon], &line[colon + 1..]))
}

#[cfg(test)]
mod tests {
    use super::Request;

    #[test]
    fn a_request_is_found_once_all_of_it_is_there() {
        let text = b"POST /mcp HTTP/1.1\r\nHost: a:1\r\ncontent-length: 2\r\n\r\n{}GET";
        let whole = Request {
            is_post: true,
            body_begin: text.len() - 5,
            end: text.len() - 3,
        };
        for (input, expected) in [
            (&text[..], Some(whole)),
            (&text[..text.len() - 4], None),
            (&text[..30], None),
            (b"", None),
        ] {
            assert_eq!(Request::find(input).expect("it is well formed"), expected);
        }
        assert!(Request::find(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n").is_err());
    }
}
