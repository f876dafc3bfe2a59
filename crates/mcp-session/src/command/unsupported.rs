//! What stands in for a run where there are no processes: in a build without the feature `stdio`, and on
//! systems without process groups.

use std::path::Path;

use mcp_config::{Command, CommandFailure, Environment};

use super::limits::Limits;

pub(super) async fn run(
    _command: &Command,
    _base: &Path,
    _environment: &Environment,
    _limits: Limits,
) -> Result<Vec<u8>, CommandFailure> {
    Err(CommandFailure::Spawn {
        message: "this build cannot start processes".to_owned(),
    })
}
