//! Time limits in milliseconds.

use std::time::Duration;

use super::origin::Sourced;
use super::reader::Context;
use crate::document::{Kind, Member};
use crate::problem::Problem;

/// The longest limit: 24 days, which fits wherever milliseconds are 32-bit numbers.
pub(crate) const LONGEST_MS: u64 = 2_147_483_647;

impl Context<'_> {
    pub(super) fn duration(&mut self, member: &Member) -> Option<Sourced<Duration>> {
        let node = member.value();
        let path = self.path.member(member.key());
        let example = format!(
            "write a whole number of milliseconds, such as \"{}\": 30000",
            member.key()
        );
        if node.kind() != Kind::Number {
            self.wrong_type(node, &path, "a number", example);
            return None;
        }
        match node.as_u64() {
            Some(0) => {
                let message = "a limit of 0 would fail everything";
                self.error(node.span(), &path, message, Some(example));
                None
            }
            Some(ms) if ms <= LONGEST_MS => {
                let origin = self.origin(node.span());
                Some(Sourced::new(Duration::from_millis(ms), origin))
            }
            Some(_) => {
                let message = format!("more than {LONGEST_MS} milliseconds (24 days)");
                self.error(node.span(), &path, message, Some(example));
                None
            }
            None => {
                let message = "not a whole, positive number of milliseconds";
                self.error(node.span(), &path, message, Some(example));
                None
            }
        }
    }

    /// A limit that another makes meaningless.
    pub(super) fn check_limits(
        &mut self,
        request: Option<&Sourced<Duration>>,
        whole: Option<&Sourced<Duration>>,
    ) {
        if let (Some(request), Some(whole)) = (request, whole)
            && **request > **whole
        {
            let problem = Problem::warning(
                "`requestTimeoutMs` is longer than `maxRequestMs`, which ends requests first",
            )
            .with_path(&self.path.member("requestTimeoutMs"))
            .with_shared_server(&self.name);
            let problem = request.origin().place(problem);
            self.add(problem);
        }
    }
}
