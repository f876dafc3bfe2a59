//! Reading a body into memory, within a limit that counts what was unpacked.

use std::time::Duration;

use bytes::Bytes;
use reqwest::Response;
use tokio::time::{Instant, timeout_at};

/// How long the body of an error may take.
const SOON: Duration = Duration::from_secs(2);

/// Why a body is not whole.
#[derive(Debug)]
pub(super) enum BodyError {
    TooLarge,
    Broken(reqwest::Error),
}

/// The whole body, copied only if it came in several pieces.
pub(super) async fn read(response: &mut Response, limit: usize) -> Result<Body, BodyError> {
    let announced = response
        .content_length()
        .and_then(|length| usize::try_from(length).ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(BodyError::TooLarge);
    }
    let Some(first) = response.chunk().await.map_err(BodyError::Broken)? else {
        return Ok(Body::One(Bytes::new()));
    };
    let Some(mut next) = response.chunk().await.map_err(BodyError::Broken)? else {
        return if first.len() > limit {
            Err(BodyError::TooLarge)
        } else {
            Ok(Body::One(first))
        };
    };
    let mut whole = Vec::with_capacity(announced.unwrap_or(first.len() + next.len()));
    whole.extend_from_slice(&first);
    loop {
        if whole.len() + next.len() > limit {
            return Err(BodyError::TooLarge);
        }
        whole.extend_from_slice(&next);
        match response.chunk().await.map_err(BodyError::Broken)? {
            Some(chunk) => next = chunk,
            None => return Ok(Body::Whole(whole)),
        }
    }
}

/// As much of a body as fits and comes soon; for the excerpt of an error, where more is of no use and the status alone
/// says enough.
pub(super) async fn read_start(response: &mut Response, limit: usize) -> Vec<u8> {
    let mut start = Vec::new();
    let deadline = Instant::now() + SOON;
    while let Ok(Ok(Some(chunk))) = timeout_at(deadline, response.chunk()).await {
        start.extend_from_slice(&chunk[..chunk.len().min(limit - start.len())]);
        if start.len() == limit {
            break;
        }
    }
    start
}

/// A body, as it came.
#[derive(Debug)]
pub(super) enum Body {
    One(Bytes),
    Whole(Vec<u8>),
}

impl AsRef<[u8]> for Body {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::One(bytes) => bytes,
            Self::Whole(bytes) => bytes,
        }
    }
}
