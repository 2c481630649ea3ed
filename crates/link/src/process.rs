//! What the operating system says about processes, and what they inherit from each other.

pub(crate) mod child_end;
pub(crate) mod copy;
pub(crate) mod descendants;
pub(crate) mod descriptors;
pub(crate) mod disk_usage;
pub(crate) mod error_text;
pub(crate) mod inherited;
pub(crate) mod kernel_memory;
pub(crate) mod mappings;
pub(crate) mod move_clock;
pub(crate) mod program_path;
pub(crate) mod script_head;
