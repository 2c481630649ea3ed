//! Documents of what is shown. Pages make HTML of them, the API makes JSON, so that both say the same.

pub(crate) mod table;
