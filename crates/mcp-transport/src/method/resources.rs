//! Reading resources.

use super::request::{array, cache_hint};
use crate::rpc::Ask;
use crate::wire::Member;
use crate::{Connection, RequestError, ResourceContents};

impl Connection {
    /// Reads a resource.
    pub async fn read_resource(&self, uri: &str) -> Result<ResourceContents, RequestError> {
        let plain = self.plain("resources/read");
        let ask = Ask {
            name: Some(uri),
            room: 64 + uri.len(),
            ..plain
        };
        let reply = self
            .request_with_input(&ask, |params| params.value("uri", uri))
            .await?;
        array(ask.method, &reply, Member::Contents)?;
        Ok(ResourceContents {
            cache: cache_hint(&reply),
            reply,
        })
    }
}
