//! What an entry of a later layer may override.

use super::exposure::{Exposure, ToolExposure};
use super::origin::{Origin, Sourced};
use super::reader::Context;
use super::server::ServerEntry;
use crate::document::Member;

/// The overridable members of an entry.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    pub(super) enabled: Option<Sourced<bool>>,
    pub(super) exposure: Option<Sourced<Exposure>>,
    pub(super) tool_exposure: Option<Sourced<ToolExposure>>,
}

impl Patch {
    pub(super) fn read(context: &mut Context<'_>, members: &[&Member]) -> Self {
        let mut patch = Patch {
            enabled: None,
            exposure: None,
            tool_exposure: None,
        };
        let mut enabled = None;
        let mut disabled = None;
        for member in members {
            match member.key() {
                "enabled" => enabled = context.boolean(member),
                "disabled" => disabled = context.boolean(member),
                "exposure" => patch.exposure = context.exposure(member),
                _ => patch.tool_exposure = context.tool_exposure(member),
            }
        }
        if let (Some(enabled), Some(disabled)) = (&enabled, &disabled)
            && **enabled == **disabled
            && let Some(member) = members.iter().find(|member| member.key() == "disabled")
        {
            let place = context.path.member("disabled");
            let message = format!("`enabled` and `disabled` are both {}", **enabled);
            let help = "keep one of them".to_owned();
            context.error(member.value().span(), &place, message, Some(help));
        }
        let opposite =
            |disabled: Sourced<bool>| Sourced::new(!*disabled, disabled.origin().clone());
        patch.enabled = enabled.or_else(|| disabled.map(opposite));
        patch
    }

    /// What it sets.
    pub(crate) fn values(&self) -> (Option<bool>, Option<Exposure>, Option<&ToolExposure>) {
        let Patch {
            enabled,
            exposure,
            tool_exposure,
        } = self;
        (
            enabled.as_deref().copied(),
            exposure.as_deref().copied(),
            tool_exposure.as_deref(),
        )
    }

    /// The same patch as one that comes from elsewhere.
    pub(super) fn with_origin(self, origin: &Origin) -> Self {
        // Every field is named, so that a new one cannot be forgotten here.
        let Patch {
            enabled,
            exposure,
            tool_exposure,
        } = self;
        Patch {
            enabled: enabled.map(|value| value.with_origin(origin)),
            exposure: exposure.map(|value| value.with_origin(origin)),
            tool_exposure: tool_exposure.map(|value| value.with_origin(origin)),
        }
    }
}

impl ServerEntry {
    /// The entry with what a patch sets; `toolExposure` as a whole.
    pub(crate) fn patched(&self, patch: &Patch) -> Self {
        let Patch {
            enabled,
            exposure,
            tool_exposure,
        } = patch;
        let mut entry = self.clone();
        entry.enabled = overlay(enabled.as_ref(), entry.enabled);
        entry.exposure = overlay(exposure.as_ref(), entry.exposure);
        entry.tool_exposure = overlay(tool_exposure.as_ref(), entry.tool_exposure);
        entry
    }
}

fn overlay<T: Clone>(over: Option<&Sourced<T>>, under: Option<Sourced<T>>) -> Option<Sourced<T>> {
    match over {
        Some(over) => Some(over.clone().shadowing(under.as_ref())),
        None => under,
    }
}
