//! The names of members: those that mean something, and what people mean by others.

use super::reader::Context;
use crate::document::{Kind, Member, Node};
use crate::problem::short;

/// The members that an entry may have.
pub(super) const KNOWN: [&str; 14] = [
    "type",
    "command",
    "args",
    "env",
    "cwd",
    "url",
    "headers",
    "enabled",
    "disabled",
    "exposure",
    "toolExposure",
    "startTimeoutMs",
    "requestTimeoutMs",
    "maxRequestMs",
];

/// The members of an entry that only overrides an earlier layer's.
pub(super) const OVERRIDABLE: [&str; 4] = ["enabled", "disabled", "exposure", "toolExposure"];

/// No longer name can be a misspelling of one.
const LONGEST_NAME: usize = 30;

impl Context<'_> {
    pub(super) fn unknown_member(&mut self, member: &Member) {
        let path = self.path.member(member.key());
        let message = format!(
            "unknown member `{}`, which has no effect",
            short(member.key())
        );
        let help = suggestion(member.key()).unwrap_or_else(|| {
            "see the JSON Schema of mcp.json for the members there are".to_owned()
        });
        self.warn(member.key_span(), &path, message, Some(help));
    }

    pub(super) fn unsupported_member(&mut self, member: &Member) {
        let path = self.path.member(member.key());
        let message = format!(
            "`{}` is not supported yet, so the server is not started",
            member.key()
        );
        let help = "if the server takes a token, write \"headers\": { \"Authorization\": \"Bearer ${TOKEN}\" }; \
                    else remove the entry";
        self.error(member.key_span(), &path, message, Some(help.to_owned()));
    }
}

/// Whether a value looks like an entry: an object that says how to reach a server.
pub(crate) fn is_entry(node: &Node) -> bool {
    node.as_object().is_some_and(|object| {
        object.members().iter().any(|member| {
            let key = member.key();
            let reaches = matches!(key, "command" | "url") || is_transport_lookalike(key);
            reaches && matches!(member.value().kind(), Kind::String | Kind::Array)
        })
    })
}

/// Whether people write this where `command` or `url` belongs.
pub(super) fn is_transport_lookalike(key: &str) -> bool {
    suggestion(key).is_some_and(|advice| advice.contains("`url`") || advice.contains("`command`"))
}

/// What to write instead of an unknown member.
fn suggestion(key: &str) -> Option<String> {
    let bare: String = key.chars().filter(|c| c.is_alphanumeric()).collect();
    let bare = bare.to_lowercase();
    let family = ["oauth", "bearertoken"]
        .into_iter()
        .find(|family| bare.starts_with(family));
    if let Some(advice) = advice(family.unwrap_or(&bare)) {
        return Some(advice.to_owned());
    }
    if bare.len() > LONGEST_NAME {
        return None;
    }
    let distance = |known: &str| strsim::damerau_levenshtein(&bare, &known.to_lowercase());
    let nearest = KNOWN.iter().min_by_key(|known| distance(known))?;
    let allowed = if nearest.len() < 5 { 1 } else { 2 };
    (distance(nearest) <= allowed).then(|| format!("did you mean `{nearest}`?"))
}

/// Names that other programs use, in lower case and without separators.
fn advice(bare: &str) -> Option<&'static str> {
    Some(match bare {
        "transport" | "transporttype" | "servertype" | "protocol" | "stdio" | "http" => {
            "write `type`: \"stdio\" or \"http\""
        }
        "environment" | "envs" | "envvars" | "environmentvariables" => "write `env`",
        "serverurl" | "httpurl" | "baseurl" | "uri" | "endpoint" | "remoteurl" | "sseurl"
        | "href" => "write `url`",
        "cmd" | "executable" | "program" | "binary" | "exec" => "write `command`",
        "arguments" | "argv" | "parameters" => "write `args`",
        "httpheaders" | "requestheaders" | "requestinit" => "write `headers`",
        "timeout" | "tooltimeout" | "tooltimeoutsec" | "toolcalltimeout" | "calltimeout"
        | "timeoutms" | "requesttimeout" => "write `requestTimeoutMs`, in milliseconds",
        "startuptimeout"
        | "startuptimeoutms"
        | "startuptimeoutsec"
        | "inittimeout"
        | "initializationtimeout"
        | "connecttimeout"
        | "connectiontimeout"
        | "starttimeout" => "write `startTimeoutMs`, in milliseconds",
        "maxtotaltimeout" | "maxtimeout" => "write `maxRequestMs`, in milliseconds",
        "envfile" => "no file is read; write the variables as `env`: { \"NAME\": \"${NAME}\" }",
        "workingdirectory" | "workingdir" | "workdir" | "dir" | "directory" => "write `cwd`",
        "disabledtools" | "excludetools" | "excludedtools" | "tools" | "enabledtools"
        | "includetools" | "allowedtools" | "blockedtools" => {
            "write `toolExposure`: { \"tool_name\": \"hidden\" }, or { \"tool_name\": \"direct\", \"*\": \"hidden\" }"
        }
        "autoapprove" | "alwaysallow" | "autoallow" | "trust" | "allow" | "approvalmode" => {
            "which calls need approval is not set in this file; remove it"
        }
        "description" | "title" | "name" | "displayname" | "gallery" | "version" | "icon"
        | "icons" | "note" | "notes" | "comment" | "id" | "tags" | "category" | "registry" => {
            "a description belongs into a comment, `// …`"
        }
        "token" | "apikey" | "bearertoken" | "authtoken" | "accesstoken" => {
            "write `headers`: { \"Authorization\": \"Bearer ${TOKEN}\" }"
        }
        "oauth"
        | "scopes"
        | "clientid"
        | "clientsecret"
        | "authprovidertype"
        | "targetaudience"
        | "targetserviceaccount"
        | "authentication" => "sign-in is not supported yet; remove it",
        _ => return None,
    })
}
