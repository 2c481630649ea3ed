//! Code compiled for the widest vector instructions of the processor at run time.

/// Work that is compiled once for each vector instruction set.
///
/// [`VectorTask::run`] and everything it calls must be `#[inline(always)]`: only inlined code is
/// compiled for the instruction set that [`run_widest`] selects.
pub(crate) trait VectorTask {
    type Output;

    fn run(self) -> Self::Output;
}

/// Runs `task` with the widest vector instructions that the processor supports.
///
/// The results have the same bits with any instruction set: each lane does the same operations in
/// the same order as scalar code, and the compiler fuses none of them.
pub(crate) fn run_widest<T: VectorTask>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        if has!("avx512f") && has!("avx512vl") && has!("avx512dq") {
            #[expect(unsafe_code, reason = "target features are chosen at run time")]
            // SAFETY: the processor has just been found to have all features that `avx512` enables.
            return unsafe { x86::avx512(task) };
        }
        if has!("avx2") {
            #[expect(unsafe_code, reason = "target features are chosen at run time")]
            // SAFETY: the processor has just been found to have the feature that `avx2` enables.
            return unsafe { x86::avx2(task) };
        }
    }
    task.run()
}

/// Asks the processor to bring the line of the cache with this value, and goes on. Where the processor cannot be asked,
/// nothing happens.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    x86::prefetch(value);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    use std::ptr;

    use super::VectorTask;

    #[inline(always)]
    pub(crate) fn prefetch<T>(value: &T) {
        #[expect(unsafe_code, reason = "the safe form of this hint is not stable")]
        // SAFETY: every processor with x86-64 has the instruction, which neither reads nor writes values.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(ptr::from_ref(value).cast());
        }
    }

    #[target_feature(enable = "avx512f,avx512vl,avx512dq")]
    pub(crate) fn avx512<T: VectorTask>(task: T) -> T::Output {
        task.run()
    }

    #[target_feature(enable = "avx2")]
    pub(crate) fn avx2<T: VectorTask>(task: T) -> T::Output {
        task.run()
    }
}
