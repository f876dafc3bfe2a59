//! The protocol by hand over an HTTP client as it is, its connections kept alive: what the HTTP
//! itself costs. No deadlines, cancellation, retries, limits or events.

use std::future::Future;
use std::str::FromStr as _;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use http::{Request, StatusCode, Uri};
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client as HyperClient;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

use super::Client;
use super::http_server::HttpServer;
use super::messages::{Answer, INITIALIZE, INITIALIZED, Tool, listed, request, text_of, tool_call};
use crate::outcome::Outcome;
use crate::peer::{Form, PeerSpec};

const ACCEPTED_MEDIA: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const VERSION: HeaderValue = HeaderValue::from_static("2025-11-25");
const VERSION_HEADER: &str = "mcp-protocol-version";

/// What posts a message and reads the whole answer.
pub(crate) trait Http: Sized + Send + Sync + 'static {
    fn build() -> Outcome<Self>;

    fn post(&self, url: &str, body: String) -> impl Future<Output = Outcome<Bytes>> + Send;
}

/// hyper with the pool that reqwest has too.
pub(crate) struct Hyper(HyperClient<HttpConnector, Full<Bytes>>);

impl Http for Hyper {
    fn build() -> Outcome<Self> {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        Ok(Self(
            HyperClient::builder(TokioExecutor::new()).build(connector),
        ))
    }

    async fn post(&self, url: &str, body: String) -> Outcome<Bytes> {
        let request = Request::post(Uri::from_str(url)?)
            .header(ACCEPT, ACCEPTED_MEDIA)
            .header(CONTENT_TYPE, JSON)
            .header(VERSION_HEADER, VERSION)
            .body(Full::from(body))?;
        let response = self.0.request(request).await?;
        check(response.status())?;
        Ok(response.into_body().collect().await?.to_bytes())
    }
}

impl Http for reqwest::Client {
    fn build() -> Outcome<Self> {
        let builder = Self::builder().no_proxy().tcp_nodelay(true);
        Ok(builder.build()?)
    }

    async fn post(&self, url: &str, body: String) -> Outcome<Bytes> {
        let response = Self::post(self, url)
            .header(ACCEPT, ACCEPTED_MEDIA)
            .header(CONTENT_TYPE, JSON)
            .header(VERSION_HEADER, VERSION)
            .body(body)
            .send()
            .await?;
        check(response.status())?;
        Ok(response.bytes().await?)
    }
}

fn check(status: StatusCode) -> Outcome<()> {
    if status.is_success() {
        Ok(())
    } else {
        Err(format!("the server answered with status {status}").into())
    }
}

/// The protocol over one of them.
pub(crate) struct RawHttp<H> {
    http: H,
    next: AtomicU64,
    form: Form,
    server: HttpServer,
}

impl<H: Http> Client for RawHttp<H> {
    type Tools = Vec<Tool>;

    async fn connect(peer: PeerSpec) -> Outcome<Self> {
        let client = Self {
            http: H::build()?,
            next: AtomicU64::new(1),
            form: peer.form,
            server: HttpServer::start(peer).await?,
        };
        client
            .result("initialize", &[INITIALIZE], |_| Ok(()))
            .await?;
        client
            .http
            .post(&client.server.url, INITIALIZED.to_owned())
            .await?;
        Ok(client)
    }

    async fn call(&self, tool: &'static str) -> Outcome<usize> {
        self.result("tools/call", &tool_call(tool), text_of).await
    }

    async fn list(&self) -> Outcome<(Self::Tools, usize)> {
        let mut tools = Vec::new();
        // No workload asks these for more than one page.
        self.result("tools/list", &["{}"], |page| listed(page, &mut tools))
            .await?;
        let count = tools.len();
        Ok((tools, count))
    }
}

impl<H: Http> RawHttp<H> {
    async fn result<T>(
        &self,
        method: &str,
        params: &[&str],
        read: impl FnOnce(&str) -> Outcome<T> + Send,
    ) -> Outcome<T> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let body = request(id, method, params);
        let body = self.http.post(&self.server.url, body).await?;
        let message = match self.form {
            Form::Json => &body[..],
            Form::Event => data(&body).ok_or("the event has no data")?,
        };
        let answer: Answer<'_> = serde_json::from_slice(message)?;
        if answer.id == id {
            read(answer.result.get())
        } else {
            Err("an answer to another request came".into())
        }
    }
}

/// The data of the only event, which is one line.
fn data(body: &[u8]) -> Option<&[u8]> {
    const FIELD: &[u8] = b"data: ";
    let data = &body[memchr::memmem::find(body, FIELD)? + FIELD.len()..];
    Some(&data[..memchr::memchr(b'\n', data)?])
}
