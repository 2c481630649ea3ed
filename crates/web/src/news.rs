//! What has happened on a hill, for those who do not look at its pages: a feed, a webhook and a post for each run.

pub(crate) mod feed;
pub(crate) mod item;
pub(crate) mod post;
pub(crate) mod webhooks;
