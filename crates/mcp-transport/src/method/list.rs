//! Lists: every page, each item on its own.

use std::collections::HashSet;

use serde::de::IgnoredAny;
use tokio::time::Instant;

use super::request::{array, cache_hint};
use crate::rpc::{Ask, Reply};
use crate::types::{Fault, Faults, Item, ListProblem, Listing, Object};
use crate::wire::{Elements, MAX_MESSAGE, Member, kind_of};
use crate::{Connection, Era, Prompt, RequestError, Resource, ResourceTemplate, Tool};

/// More pages than any real list has.
const MAX_PAGES: usize = 1000;
/// No further page is asked for once those that came are as large as one message may be.
const MAX_BYTES: usize = MAX_MESSAGE;
/// Items kept of one list. Each costs a host far more than a server pays for it, in memory and in time that others wait.
const MAX_ITEMS: usize = 50_000;
/// Problems kept of one list; the last one says how many more there are.
const MAX_PROBLEMS: usize = 100;
const METHOD_NOT_FOUND: i64 = -32601;

impl Connection {
    /// The server's tools, all pages. Empty if it declares none. A list that a stateless server said to hold for a
    /// while is given again within that time, unless it told of a change.
    pub async fn tools(&self) -> Result<Listing<Tool>, RequestError> {
        let kept = &self.core().kept_tools;
        if let Some(tools) = kept.get() {
            return Ok(tools);
        }
        let changes = kept.changes();
        let mut tools = self.list().await?;
        self.core().listed(&mut tools);
        if self.server().era == Era::Stateless {
            kept.keep(changes, &tools);
        }
        Ok(tools)
    }

    /// The server's resources, all pages. Empty if it declares none.
    pub async fn resources(&self) -> Result<Listing<Resource>, RequestError> {
        self.list().await
    }

    /// The server's templates of resources, all pages. Empty if it declares no resources.
    pub async fn resource_templates(&self) -> Result<Listing<ResourceTemplate>, RequestError> {
        self.list().await
    }

    /// The server's prompts, all pages. Empty if it declares none.
    pub async fn prompts(&self) -> Result<Listing<Prompt>, RequestError> {
        self.list().await
    }

    async fn list<T: Item>(&self) -> Result<Listing<T>, RequestError> {
        let mut pages = Pages::default();
        if !self.server().capabilities.declares(T::CAPABILITY) {
            return Ok(pages.listing);
        }
        let start = Instant::now();
        let mut cursor: Option<Box<str>> = None;
        for _ in 0..MAX_PAGES {
            let plain = self.plain(T::METHOD);
            let ask = Ask {
                max_total: plain.max_total.saturating_sub(start.elapsed()),
                ..plain
            };
            let page = self.request(&ask, |params| {
                if let Some(cursor) = &cursor {
                    params.raw("cursor", cursor);
                }
            });
            let page = match page.await {
                // A server that declares a list without having it has an empty one.
                Err(RequestError::Server {
                    code: METHOD_NOT_FOUND,
                    ..
                }) if cursor.is_none() => break,
                page => page?,
            };
            pages.add(&page)?;
            cursor = next_cursor(T::METHOD, &page)?;
            let Some(next) = &cursor else {
                return Ok(pages.finish());
            };
            if !pages.cursors.insert(next.clone()) {
                pages.problem("nextCursor", format!("the cursor {next} was given before"));
                return Ok(pages.finish());
            }
            if let Some(limit) = pages.limit() {
                pages.problem("nextCursor", format!("the list goes on after {limit}"));
                return Ok(pages.finish());
            }
        }
        if cursor.is_some() {
            pages.problem(
                "nextCursor",
                format!("the list goes on after {MAX_PAGES} pages"),
            );
        }
        Ok(pages.finish())
    }
}

/// What was read of a list so far.
struct Pages<T> {
    listing: Listing<T>,
    keys: HashSet<Box<str>>,
    /// Cursors seen, as JSON text.
    cursors: HashSet<Box<str>>,
    /// Items on all pages, understood or not.
    count: usize,
    /// Bytes of all pages.
    bytes: usize,
    more_problems: usize,
}

impl<T> Default for Pages<T> {
    fn default() -> Self {
        Self {
            listing: Listing::default(),
            keys: HashSet::new(),
            cursors: HashSet::new(),
            count: 0,
            bytes: 0,
            more_problems: 0,
        }
    }
}

impl<T: Item> Pages<T> {
    /// What keeps another page from being asked for.
    fn limit(&self) -> Option<String> {
        if self.bytes >= MAX_BYTES {
            Some(format!("{} MiB", MAX_BYTES / (1024 * 1024)))
        } else if self.count >= MAX_ITEMS {
            Some(format!("{MAX_ITEMS} items"))
        } else {
            None
        }
    }

    fn add(&mut self, page: &Reply) -> Result<(), RequestError> {
        let mut items = Elements::new(array(T::METHOD, page, T::MEMBER)?);
        self.bytes += page.raw().len();
        while self.count < MAX_ITEMS
            && let Some(item) = items.next()
        {
            self.item(item.or_else(|other| Object::parse(other.get())));
            self.count += 1;
        }
        while items.next::<IgnoredAny>().is_some() {
            self.count += 1;
        }
        let hint = cache_hint(page);
        self.listing.cache = match (self.listing.cache, hint) {
            (Some(kept), Some(hint)) if kept.ttl <= hint.ttl => Some(kept),
            (kept, hint) => hint.or(kept),
        };
        Ok(())
    }

    fn item(&mut self, object: Result<Object<'_>, String>) {
        let object = match object {
            Ok(object) => object,
            Err(message) => return self.problem(&self.place(), message),
        };
        let mut faults = Faults::new();
        match T::read(object, &mut faults) {
            Err(fault) => self.fault(fault),
            Ok(item) if !self.keys.insert(item.key().into()) => {
                let message = format!("a second {:?}; the first one is kept", item.key());
                self.problem(&self.place(), message);
            }
            Ok(item) => {
                self.listing.items.push(item);
                for fault in faults {
                    self.fault(fault);
                }
            }
        }
    }

    /// Where the item stands that is read now.
    fn place(&self) -> String {
        format!("{}[{}]", T::MEMBER.name(), self.count)
    }

    fn fault(&mut self, fault: Fault) {
        self.problem(&format!("{}.{}", self.place(), fault.member), fault.message);
    }

    fn problem(&mut self, path: &str, message: String) {
        if self.listing.problems.len() < MAX_PROBLEMS {
            self.listing.problems.push(ListProblem::new(path, message));
        } else {
            self.more_problems += 1;
        }
    }

    fn finish(mut self) -> Listing<T> {
        self.listing.items.shrink_to_fit();
        if self.more_problems > 0 {
            let message = match self.more_problems {
                1 => "1 more problem".to_owned(),
                count => format!("{count} more problems"),
            };
            self.listing
                .problems
                .push(ListProblem::new(T::MEMBER.name(), message));
        }
        if self.count > MAX_ITEMS {
            let message = match self.count - MAX_ITEMS {
                1 => "1 more item is left out".to_owned(),
                count => format!("{count} more items are left out"),
            };
            let problem = ListProblem::new(T::MEMBER.name(), message);
            self.listing.problems.push(problem);
        }
        self.listing
    }
}

/// The cursor of the next page, as JSON text. An empty string is one too.
fn next_cursor(method: &'static str, page: &Reply) -> Result<Option<Box<str>>, RequestError> {
    match page.present(Member::NextCursor) {
        None => Ok(None),
        Some(json) if json.starts_with('"') => Ok(Some(json.into())),
        Some(json) => {
            let message = format!("expected a string, found {}", kind_of(json));
            Err(RequestError::invalid(
                method,
                Member::NextCursor.name(),
                message,
            ))
        }
    }
}
