//! What an answer means: a message, a stream of them, a refusal, or something that is no answer of MCP at all.

use reqwest::Response;
use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, WWW_AUTHENTICATE};
use tokio::sync::SemaphorePermit;
use tokio::time::timeout;

use std::borrow::Cow;
use std::time::Duration;

use super::auth::Refusal;
use super::body::{self, Body, BodyError};
use super::challenge::Challenge;
use super::end::end_session;
use super::endpoint::Endpoint;
use super::excerpt::excerpt;
use super::lost_session::{
    is_lost_session, may_be_about_session, speaks_of_lost_session, tells_of_lost_session,
};
use super::media::Media;
use super::network::network_error;
use super::post::Post;
use super::stream;
use crate::event::Event;
use crate::rpc::Core;
use crate::wire::MAX_MESSAGE;
use crate::{Era, RequestError};

/// How much of the body of an error is read.
pub(super) const MAX_ERROR_BODY: usize = 64 * 1024;
/// How much of a body is kept for the excerpt of an answer that is none.
const MAX_SHOWN: usize = 2 * 1024;
/// How long what nobody needs is read, so that its connection can be used again.
pub(super) const DRAIN: Duration = Duration::from_millis(250);

/// Takes an answer of 2xx.
pub(super) async fn accept(
    post: &Post,
    mut response: Response,
    permit: Option<SemaphorePermit<'_>>,
) -> Result<(), RequestError> {
    let Some(id) = post.message.id else {
        // Whatever the body is: any 2xx to a notification is success (design §11.7). One that does not end holds
        // nobody up.
        let rest = body::read_start(&mut response, MAX_ERROR_BODY);
        let _ = timeout(DRAIN, rest).await;
        return Ok(());
    };
    if post.message.method == "initialize" {
        post.link.endpoint.begin_session(response.headers());
    }
    let media = media(&response);
    if let Some(encoding) = compression(&response) {
        let message =
            format!("the answer has the content encoding {encoding:?}, which was not asked for");
        return Err(post.http_error(response.status().as_u16(), message));
    }
    if media == Media::EventStream {
        return stream::follow(post, id, response, permit).await;
    }
    let status = response.status().as_u16();
    let body = match body::read(&mut response, MAX_MESSAGE).await {
        Ok(body) => body,
        Err(BodyError::Broken(error)) => {
            return Err(network_error(post.message.method, &error, None));
        }
        Err(BodyError::TooLarge) => {
            return Err(post.http_error(
                status,
                format!(
                    "the answer is larger than {} MiB",
                    MAX_MESSAGE / (1024 * 1024)
                ),
            ));
        }
    };
    if media == Media::Json || looks_like_json(body.as_ref()) {
        return take_json(post, id, status, body, &media).await;
    }
    let message = foreign(&post.core, body.as_ref(), &media);
    Err(no_answer(post, status, body.as_ref(), message).await)
}

/// The failure of a request whose success holds no answer to it. What it holds may say that the session is gone, in
/// whatever form; nobody knows whether the request ran, so the session is replaced and no more.
async fn no_answer(post: &Post, status: u16, body: &[u8], message: String) -> RequestError {
    expire_if_told(post, body).await;
    post.http_error(status, message)
}

/// Ends a session that a text without an answer speaks of as lost.
pub(super) async fn expire_if_told(post: &Post, text: &[u8]) {
    if in_session(post) && tells_of_lost_session(text) {
        expire(&post.link.endpoint, &post.core).await;
    }
}

/// The answer's coding, if it is one that changes the body. Servers and what stands before them also write words that
/// are none, such as `none` to keep a proxy from compressing, or a character set.
fn compression(response: &Response) -> Option<&str> {
    const CODINGS: [&str; 9] = [
        "gzip",
        "x-gzip",
        "deflate",
        "br",
        "zstd",
        "compress",
        "x-compress",
        "dcb",
        "dcz",
    ];
    let values = response.headers().get_all(CONTENT_ENCODING).iter();
    values
        .filter_map(|value| value.to_str().ok())
        .find(|value| {
            let mut names = value.split(',').map(str::trim);
            names.any(|name| {
                CODINGS
                    .iter()
                    .any(|coding| name.eq_ignore_ascii_case(coding))
            })
        })
}

/// Whether a body is a message, whatever it is called: a server whose framework names another type has answered too.
fn looks_like_json(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    matches!(body.trim_ascii_start().first(), Some(b'{' | b'['))
}

/// Gives a body of JSON to the core. If that was no answer, the request fails at once.
async fn take_json(
    post: &Post,
    id: u64,
    status: u16,
    body: Body,
    media: &Media,
) -> Result<(), RequestError> {
    if body.as_ref().trim_ascii().is_empty() {
        return Err(post.http_error(status, "empty response".to_owned()));
    }
    lost_in_disguise(post, body.as_ref()).await?;
    // Only the begin, since most bodies are answers and need none of it.
    let start = body.as_ref()[..body.as_ref().len().min(MAX_SHOWN)].to_vec();
    post.core.receive(match body {
        Body::One(ref bytes) => Cow::Borrowed(&bytes[..]),
        Body::Whole(bytes) => Cow::Owned(bytes),
    });
    if post.core.waits_for(id) {
        let message = if *media == Media::Json {
            let shown = masked_excerpt(&post.core, &start, media);
            format!("the response holds no answer to the request: {shown}")
        } else {
            foreign(&post.core, &start, media)
        };
        return Err(no_answer(post, status, &start, message).await);
    }
    Ok(())
}

/// A success that says that the session is gone: the session is replaced, and the request fails, since nobody knows
/// whether it ran (design §11.5).
pub(super) async fn lost_in_disguise(post: &Post, message: &[u8]) -> Result<(), RequestError> {
    if !post.carries_session() || !is_lost_session(message) {
        return Ok(());
    }
    expire(&post.link.endpoint, &post.core).await;
    let error = std::str::from_utf8(message)
        .ok()
        .and_then(|text| post.core.refusal(post.message.method, text, 200));
    Err(error
        .unwrap_or_else(|| post.http_error(200, masked_excerpt(&post.core, message, &Media::Json))))
}

/// Reads an answer of 4xx or 5xx.
pub(super) async fn refusal(post: &Post, mut response: Response) -> RequestError {
    let status = response.status().as_u16();
    let media = media(&response);
    let challenges = challenges(&response, &post.core);
    let body = body::read_start(&mut response, MAX_ERROR_BODY).await;
    let method = post.message.method;
    let error = std::str::from_utf8(&body)
        .ok()
        .and_then(|text| post.core.refusal(method, text, status));
    if is_expiry(post, status, error.as_ref()) {
        return RequestError::SessionExpired {
            method,
            refused: true,
        };
    }
    let is_lost = in_session(post) && tells_of_lost_session(&body);
    if matches!(status, 401 | 403) {
        let header = post.link.endpoint.refused_header();
        // Published servers refuse a session that they lost with these too, and then ask for nothing.
        let asks_nothing =
            challenges.is_empty() && header.is_none() && post.link.endpoint.spec.auth.is_none();
        if !(is_lost && asks_nothing) {
            let excerpt = masked_excerpt(&post.core, &body, &media);
            return RequestError::NeedsAuth {
                method,
                refusal: Box::new(Refusal {
                    status,
                    challenges,
                    header,
                    excerpt,
                }),
            };
        }
    }
    if is_lost {
        // Not as the specification has it, so nobody knows whether it ran: the session is replaced, the request fails.
        expire(&post.link.endpoint, &post.core).await;
    }
    error.unwrap_or_else(|| post.http_error(status, foreign(&post.core, &body, &media)))
}

/// Whether it is a request within a session that can be lost. What a server makes of a notification says little: some
/// know none of them, and answer 404. If the session is gone, the next request hears of it.
fn in_session(post: &Post) -> bool {
    let stateless = post
        .core
        .negotiated()
        .is_some_and(|negotiated| negotiated.version.era() == Era::Stateless);
    !stateless && post.message.id.is_some() && post.carries_session()
}

/// 404 to a request that carried the session, or 400 with a JSON-RPC error that speaks of the session (design §11.5).
/// A server of both eras may give 404 with an unknown method or tool, as the stateless one has it; that is none.
fn is_expiry(post: &Post, status: u16, error: Option<&RequestError>) -> bool {
    const OF_THE_REQUEST: [i64; 2] = [-32601, -32602];
    let tells = match (status, error) {
        (404, Some(RequestError::Server { code, message, .. })) => {
            !OF_THE_REQUEST.contains(code) || speaks_of_lost_session(message)
        }
        (404, _) => true,
        (400, Some(RequestError::Server { code, message, .. })) => {
            may_be_about_session(*code) && speaks_of_lost_session(message)
        }
        _ => false,
    };
    tells && in_session(post)
}

/// The session is gone: told once, and nothing is sent on it any more. The server is told of the end before anybody hears
/// of it and begins another session.
pub(super) async fn expire(endpoint: &Endpoint, core: &Core) {
    end_session(core, endpoint).await;
    if endpoint.expire() {
        core.tell(Event::SessionExpired);
    }
}

/// The media type, and the first readable characters, of a body that is no answer of MCP.
fn foreign(core: &Core, body: &[u8], media: &Media) -> String {
    match masked_excerpt(core, body, media) {
        text if text.is_empty() => core.masked(&format!("{media}, nothing readable")),
        text => core.masked(&format!("{media}: {text}")),
    }
}

/// An excerpt, masked before it is cut, so that no value is cut within and then not found, and once more, since a
/// value may have been spread over tags.
pub(super) fn masked_excerpt(core: &Core, body: &[u8], media: &Media) -> String {
    let body = core.masked(&String::from_utf8_lossy(body));
    core.masked(&excerpt(body.as_bytes(), media))
}

fn media(response: &Response) -> Media {
    Media::of(
        response
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok()),
    )
}

/// What the server asks for. It may quote what was sent, so it is masked.
fn challenges(response: &Response, core: &Core) -> Vec<Challenge> {
    let headers = response.headers().get_all(WWW_AUTHENTICATE);
    headers
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| Challenge::parse(&core.masked(value)))
        .collect()
}

impl Endpoint {
    /// The configured header that was refused: `Authorization`, or one whose name speaks of a key or token.
    fn refused_header(&self) -> Option<String> {
        let names = || self.spec.headers.keys();
        let speaks = |name: &&reqwest::header::HeaderName| {
            ["auth", "key", "token", "secret"]
                .iter()
                .any(|word| name.as_str().contains(word))
        };
        let name = names()
            .find(|name| **name == AUTHORIZATION)
            .or_else(|| names().find(speaks))?;
        Some(if *name == AUTHORIZATION {
            "Authorization".to_owned()
        } else {
            name.as_str().to_owned()
        })
    }
}
