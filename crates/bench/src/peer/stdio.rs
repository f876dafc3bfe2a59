//! The server over standard input and output.

use std::io::{self, BufRead, BufReader, Write};

use super::answers::Answers;
use super::spec::PeerSpec;
use crate::outcome::Outcome;

/// Serves standard input until its end.
pub(crate) fn run_stdio(arguments: &[String]) -> Outcome<()> {
    let mut answers = Answers::prepare(PeerSpec::parse(arguments)?);
    let mut input = BufReader::with_capacity(64 * 1024, io::stdin().lock());
    let mut output = io::stdout().lock();
    let mut line = Vec::new();
    let mut pending = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        answers.answer(&line, &mut pending)?;
        line.clear();
        // What came in one piece is answered in one piece.
        if memchr::memchr(b'\n', input.buffer()).is_none() {
            output.write_all(&pending)?;
            output.flush()?;
            pending.clear();
        }
    }
    Ok(())
}
