//! What stands in for the stdio link where there are no process groups.

use crate::process::{ProcessSpec, SpawnError};
use crate::{ConnectError, Connection, Events, Options};

impl Connection {
    /// Answers that this platform cannot start servers.
    #[expect(clippy::unused_async, reason = "the same signature as elsewhere")]
    pub async fn stdio(
        _spec: ProcessSpec,
        _options: Options,
    ) -> Result<(Self, Events), ConnectError> {
        Err(SpawnError::Unsupported.into())
    }
}
