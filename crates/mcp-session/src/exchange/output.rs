//! Structured content against the schema that the tool declares for it.

use mcp_schema::{Coverage, Violation, Violations};
use serde_json::value::RawValue;

use crate::result::{CallFailure, ToolResult};
use crate::server::ListedTool;

/// What a mismatch with a tool's output schema means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputPolicy {
    /// The result stands, with a warning beside it.
    #[default]
    Advise,
    /// The call fails.
    Enforce,
    /// Nobody looks.
    Ignore,
}

impl OutputPolicy {
    /// The result as this policy leaves it. Errors need not fit any schema.
    pub(super) fn apply(self, tool: &ListedTool, mut result: ToolResult) -> ToolResult {
        let Some(schema) = &tool.output else {
            return result;
        };
        if self == OutputPolicy::Ignore || result.is_error {
            return result;
        }
        let mismatch = match result.structured.as_deref() {
            Some(value) => match schema.check(value) {
                Ok(checked) => {
                    result
                        .warnings
                        .extend(checked.notes().iter().map(ToString::to_string));
                    return result;
                }
                Err(violations) => lines(&violations),
            },
            // Null and an absent value are one, so null is there where the schema accepts it.
            None if schema.coverage() != Coverage::None && schema.check(RawValue::NULL).is_ok() => {
                return result;
            }
            None => vec![
                "structuredContent: missing, although the tool declares an output schema"
                    .to_owned(),
            ],
        };
        // A schema that cannot be used checks nothing, so nothing fails by it either.
        if self == OutputPolicy::Enforce && schema.coverage() != Coverage::None {
            let text = format!("Invalid result for tools/call: {}", mismatch.join("; "));
            let failed = ToolResult::failed(CallFailure::InvalidResult, text);
            return ToolResult {
                structured: result.structured,
                ..failed
            };
        }
        let advice = mismatch
            .into_iter()
            .map(|line| format!("the result does not fit the tool's output schema: {line}"));
        result.warnings.extend(advice);
        result
    }
}

/// One line a violation, with its path in the result.
fn lines(violations: &Violations) -> Vec<String> {
    let line = |violation: &Violation| {
        let dot = if matches!(violation.path().chars().next(), None | Some('[')) {
            ""
        } else {
            "."
        };
        format!(
            "structuredContent{dot}{}: {}",
            violation.path(),
            violation.message()
        )
    };
    let more = (violations.more() > 0).then(|| format!("and {} more", violations.more()));
    violations.iter().map(line).chain(more).collect()
}
