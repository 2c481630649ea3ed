//! The widest vectors of the processor that the program runs on.

/// Something to be done with vectors.
///
/// [`Work::run`] and whatever it calls must be `#[inline(always)]`, for only what is inlined is compiled anew for
/// each kind of vectors.
pub(crate) trait Work {
    type Output;

    fn run(self) -> Self::Output;
}

/// Does `work` with the widest vectors that this processor has, as far as the compiler finds use for them.
///
/// The numbers that come of it are the same whatever the vectors: each lane of a vector has the operations that
/// it would have by itself, in the same order, and the compiler fuses none.
pub(crate) fn with_widest<W: Work>(work: W) -> W::Output {
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
    work.run()
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Work;

    #[target_feature(enable = "avx512f,avx512vl,avx512dq")]
    pub(crate) fn avx512<W: Work>(work: W) -> W::Output {
        work.run()
    }

    #[target_feature(enable = "avx2")]
    pub(crate) fn avx2<W: Work>(work: W) -> W::Output {
        work.run()
    }
}
