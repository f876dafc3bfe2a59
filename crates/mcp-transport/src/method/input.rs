//! Requests that a server answers by asking for input first: the host's handlers give it, and the
//! request is sent again with it, a bounded number of times.

use std::fmt::Write;
use std::future::{Future, pending};
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::time::{Instant, sleep, timeout};

use super::request::ResultType;
use crate::rpc::{Ask, Reply};
use crate::types::Object;
use crate::wire::{Member, ObjectWriter, kind_of};
use crate::{Connection, RequestError};

/// How often one request may be sent with more input.
const MAX_ROUNDS: u32 = 10;
/// How long a server that asks for nothing but patience gets, the first time; twice as long each further time, so
/// about five seconds in all.
const PATIENCE: Duration = Duration::from_millis(5);

/// What the next round carries, as JSON text.
#[derive(Default)]
struct Input {
    responses: Option<String>,
    state: Option<String>,
}

impl Input {
    fn write(&self, params: &mut ObjectWriter<'_>) {
        if let Some(responses) = &self.responses {
            params.raw("inputResponses", responses);
        }
        if let Some(state) = &self.state {
            params.raw("requestState", state);
        }
    }
}

impl Connection {
    /// Sends a request that may need input, until its result is complete.
    pub(super) async fn request_with_input(
        &self,
        ask: &Ask<'_>,
        params: impl Fn(&mut ObjectWriter<'_>),
    ) -> Result<Reply, RequestError> {
        let reply = self.core().ask(ask, &params).await?;
        match self.result_type(ask.method, &reply)? {
            ResultType::Complete => Ok(reply),
            // The rounds are rare and large, so they do not make every request's future large.
            ResultType::InputRequired => Box::pin(self.rounds(ask, params, reply)).await,
        }
    }

    async fn rounds(
        &self,
        ask: &Ask<'_>,
        params: impl Fn(&mut ObjectWriter<'_>),
        mut reply: Reply,
    ) -> Result<Reply, RequestError> {
        let start = Instant::now();
        for round in 0..MAX_ROUNDS {
            let left = ask.max_total.saturating_sub(start.elapsed());
            let input = self
                .interruptible(ask, left, self.input(ask.method, &reply, round))
                .await?;
            let max_total = ask.max_total.saturating_sub(start.elapsed());
            let again = Ask { max_total, ..*ask };
            let answer = self.core().ask(&again, |object| {
                params(object);
                input.write(object);
            });
            reply = answer.await?;
            if let ResultType::Complete = self.result_type(ask.method, &reply)? {
                return Ok(reply);
            }
        }
        let message = format!("the server asked for more input after {MAX_ROUNDS} rounds");
        Err(RequestError::Input {
            method: ask.method,
            message,
        })
    }

    /// What the server asked for.
    async fn input(
        &self,
        method: &'static str,
        reply: &Reply,
        round: u32,
    ) -> Result<Input, RequestError> {
        let state = reply.present(Member::RequestState).map(str::to_owned);
        if let Some(json) = state.as_deref().filter(|json| !json.starts_with('"')) {
            let message = format!("expected a string, found {}", kind_of(json));
            return Err(RequestError::invalid(
                method,
                Member::RequestState.name(),
                message,
            ));
        }
        let Some(requests) = reply.present(Member::InputRequests) else {
            if state.is_none() {
                let message = "neither inputRequests nor requestState";
                return Err(RequestError::invalid(method, "result", message));
            }
            sleep(PATIENCE * 2_u32.pow(round)).await;
            return Ok(Input {
                responses: None,
                state,
            });
        };
        let invalid =
            |message| RequestError::invalid(method, Member::InputRequests.name(), message);
        let requests = Object::parse(requests).map_err(invalid)?;
        let mut responses = String::from("{");
        for (key, request) in requests.members() {
            let answer = self.answer(method, key, request).await?;
            let comma = if responses.len() > 1 { "," } else { "" };
            let key = serde_json::Value::from(key);
            // Writing to a string does not fail.
            let _ = write!(responses, "{comma}{key}:{answer}");
        }
        responses.push('}');
        Ok(Input {
            responses: Some(responses),
            state,
        })
    }

    /// The host's answer to one of the server's questions.
    async fn answer(
        &self,
        method: &'static str,
        key: &str,
        request: &RawValue,
    ) -> Result<String, RequestError> {
        let path = || format!("{}.{key}", Member::InputRequests.name());
        let mut request = Object::parse(request.get())
            .map_err(|why| RequestError::invalid(method, path(), why))?;
        let asked = request
            .require_string("method")
            .map_err(|fault| RequestError::invalid(method, path() + ".method", fault.message))?;
        let answer = self
            .core()
            .options
            .handlers
            .answer(&asked, request.take("params"))
            .await;
        answer.map_err(|error| RequestError::Input {
            method,
            message: format!("{asked}: {error}"),
        })
    }

    /// Waits for a person, but not beyond the request's limits or the connection's end.
    async fn interruptible<T>(
        &self,
        ask: &Ask<'_>,
        left: Duration,
        work: impl Future<Output = Result<T, RequestError>>,
    ) -> Result<T, RequestError> {
        let cancelled = async {
            match ask.cancel {
                Some(token) => token.cancelled().await,
                None => pending().await,
            }
        };
        tokio::select! {
            done = timeout(left, work) => done.unwrap_or_else(|_| {
                Err(RequestError::Timeout { method: ask.method, after: ask.max_total, notes: Vec::new() })
            }),
            () = cancelled => Err(RequestError::Cancelled { method: ask.method }),
            () = self.core().over.cancelled() => Err(self.core().over_error()),
        }
    }
}
