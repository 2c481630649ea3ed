//! The widest vectors of the processor that the program runs on.

/// Does `work` with the widest vectors that this processor has, as far as the compiler finds use for them.
///
/// What is called in `work` must be inlined into it. The numbers that come of it are the same whatever the
/// vectors: each lane of a vector has the operations that it would have by itself, in the same order, and
/// the compiler fuses none.
#[inline]
pub(crate) fn with_widest<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        if has!("avx512f") && has!("avx512vl") && has!("avx512dq") {
            #[expect(unsafe_code, reason = "the processor has been asked")]
            return unsafe { x86::avx512(work) };
        }
        if has!("avx2") {
            #[expect(unsafe_code, reason = "the processor has been asked")]
            return unsafe { x86::avx2(work) };
        }
    }
    work()
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #[target_feature(enable = "avx512f,avx512vl,avx512dq")]
    pub(super) fn avx512<R>(work: impl FnOnce() -> R) -> R {
        work()
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn avx2<R>(work: impl FnOnce() -> R) -> R {
        work()
    }
}
