//! Documents of what is shown: pages and the API make the same of them.

pub(crate) mod entry;
