//! Requests about the connection itself.

use crate::rpc::Ask;
use crate::wire::MessageWriter;
use crate::{Connection, Era, LogLevel, RequestError};

impl Connection {
    /// Asks the server for log messages of this level and above.
    ///
    /// A stateless server is told with each request from now on, so nothing is sent now.
    pub async fn set_log_level(&self, level: LogLevel) -> Result<(), RequestError> {
        if let Some(negotiated) = self.core().negotiated()
            && negotiated.version.era() == Era::Stateless
        {
            negotiated.set_log_level(level);
            return Ok(());
        }
        let ask = Ask {
            progress: false,
            ..self.plain("logging/setLevel")
        };
        lenient(
            self.request(&ask, |params| params.value("level", level.as_str()))
                .await,
        )
    }

    /// Whether the server answers. Any answer counts, an error too.
    pub async fn ping(&self) -> Result<(), RequestError> {
        let method = match self.server().protocol_version.era() {
            // The stateless revision has no ping; this is its cheapest request.
            Era::Stateless => "server/discover",
            Era::Initialize => "ping",
        };
        let ask = Ask {
            progress: false,
            ..self.plain(method)
        };
        match lenient(self.request(&ask, |_| {}).await) {
            Err(RequestError::Server { .. }) => Ok(()),
            done => done,
        }
    }

    /// Tells the server that the host's roots changed, if it was told of roots and keeps a session.
    pub fn roots_changed(&self) {
        let core = self.core();
        if core.options.handlers.offers("roots/list") && self.server().era == Era::Initialize {
            let method = "notifications/roots/list_changed";
            core.notify(method, MessageWriter::notification(method));
        }
    }
}

/// The result of these requests is empty, so nothing in it can be wrong.
fn lenient<T>(reply: Result<T, RequestError>) -> Result<(), RequestError> {
    match reply {
        Ok(_) | Err(RequestError::InvalidResult { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}
