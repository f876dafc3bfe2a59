//! Structured content against the schema that the tool declares for it.

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
            Some(value) => schema
                .check(value)
                .map(|checked| {
                    checked
                        .notes()
                        .iter()
                        .map(ToString::to_string)
                        .collect::<Vec<_>>()
                })
                .map_err(|violations| lines(&violations)),
            None => Err(vec![
                "structuredContent: missing, although the tool declares an output schema"
                    .to_owned(),
            ]),
        };
        match (mismatch, self) {
            (Ok(notes), _) => result.warnings.extend(notes),
            (Err(lines), OutputPolicy::Enforce) => {
                let text = format!("Invalid result for tools/call: {}", lines.join("; "));
                return ToolResult {
                    structured: result.structured,
                    ..ToolResult::failed(CallFailure::InvalidResult, text)
                };
            }
            (Err(lines), _) => {
                let advice = lines.into_iter().map(|line| {
                    format!("the result does not fit the tool's output schema: {line}")
                });
                result.warnings.extend(advice);
            }
        }
        result
    }
}

fn lines(violations: &mcp_schema::Violations) -> Vec<String> {
    violations
        .iter()
        .map(|violation| match violation.path() {
            "" => format!("structuredContent: {}", violation.message()),
            path => format!("structuredContent.{path}: {}", violation.message()),
        })
        .collect()
}
