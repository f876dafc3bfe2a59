//! Which exit code an examination ends with: what a person mends first comes first.

use std::collections::BTreeMap;

use mcp_session::{FailureKind, ServerState};

use super::checkup::Server;
use crate::cli::exit::{FAILED, OK};

/// A configuration file has errors.
pub(super) const CONFIGURATION: u8 = 3;
/// A server lacks a variable or a credential, or a command that would yield one failed.
pub(super) const CREDENTIALS: u8 = 4;
/// Servers of a project wait for approval.
pub(super) const APPROVAL: u8 = 5;

pub(super) fn exit_code(has_errors: bool, servers: &BTreeMap<String, Server>) -> u8 {
    let any = |is_so: fn(&Server) -> bool| servers.values().any(is_so);
    if has_errors || any(|server| server.failure == Some(FailureKind::Entry)) {
        CONFIGURATION
    } else if any(|server| server.failure.is_some_and(lacks_credentials)) {
        CREDENTIALS
    } else if any(|server| server.state == ServerState::AwaitingApproval) {
        APPROVAL
    } else if any(|server| !server.is_well()) {
        FAILED
    } else {
        OK
    }
}

fn lacks_credentials(kind: FailureKind) -> bool {
    matches!(
        kind,
        FailureKind::Variable | FailureKind::ValueCommand | FailureKind::Credentials
    )
}
