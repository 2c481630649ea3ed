//! The beginning of a seccomp filter that allows a set of system calls by a binary search.
//!
//! When a filter is applied, the kernel runs it for every number of a call, to learn which calls it allows whatever their
//! arguments are. With one comparison after the other for 180 calls that takes half a millisecond of each start of a child.

use std::collections::BTreeSet;
use std::io;

use seccompiler::{TargetArch, sock_filter};

/// A program that allows these calls. For all other calls, and for those of another architecture, what follows it decides.
///
/// # Errors
/// If there are more calls than a jump of a filter can skip.
pub(super) fn allow(arch: TargetArch, calls: &BTreeSet<i64>) -> io::Result<Vec<sock_filter>> {
    let load = |field: usize| {
        Step::Instruction(instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, field as u32))
    };
    let equal = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
    let mut steps = vec![
        load(std::mem::offset_of!(libc::seccomp_data, arch)),
        Step::Instruction(instruction(equal, 1, audited(arch))),
        Step::Leave,
        load(std::mem::offset_of!(libc::seccomp_data, nr)),
    ];
    steps.extend(search(&bounds(calls)?, false)?);
    let end = steps.len();
    let resolved = steps.into_iter().enumerate().map(|(index, step)| match step {
        Step::Instruction(instruction) => instruction,
        Step::Leave => instruction(libc::BPF_JMP | libc::BPF_JA, 0, (end - index - 1) as u32),
    });
    Ok(resolved.collect())
}

enum Step {
    Instruction(sock_filter),
    /// Jumps to what follows the program.
    Leave,
}

/// An instruction that, if it is a comparison which holds, skips the next `then`.
fn instruction(code: u32, then: u8, k: u32) -> sock_filter {
    sock_filter { code: code as u16, jt: then, jf: 0, k }
}

/// The kernel's number of an architecture, in the field `arch` of `seccomp_data` (`linux/audit.h`).
const fn audited(arch: TargetArch) -> u32 {
    const WITH_64_BITS_LITTLE_ENDIAN: u32 = 0xc000_0000;
    let machine = match arch {
        TargetArch::x86_64 => 62,
        TargetArch::aarch64 => 183,
        TargetArch::riscv64 => 243,
    };
    machine | WITH_64_BITS_LITTLE_ENDIAN
}

/// The numbers, ascending, at which those that are in the set and those that are not begin in turn.
fn bounds(calls: &BTreeSet<i64>) -> io::Result<Vec<u32>> {
    let mut bounds = Vec::new();
    for call in calls {
        let call = u32::try_from(*call).map_err(io::Error::other)?;
        if bounds.last() == Some(&call) {
            bounds.pop();
        } else {
            bounds.push(call);
        }
        bounds.push(call + 1);
    }
    Ok(bounds)
}

/// Searches among these bounds. `is_allowed` is whether the numbers below the first are.
fn search(bounds: &[u32], is_allowed: bool) -> io::Result<Vec<Step>> {
    let middle = bounds.len() / 2;
    let Some(bound) = bounds.get(middle) else {
        let allow = instruction(libc::BPF_RET | libc::BPF_K, 0, libc::SECCOMP_RET_ALLOW);
        return Ok(vec![if is_allowed { Step::Instruction(allow) } else { Step::Leave }]);
    };
    let below = search(&bounds[..middle], is_allowed)?;
    let above = search(&bounds[middle + 1..], is_allowed ^ middle.is_multiple_of(2))?;
    let skipped = u8::try_from(below.len()).map_err(io::Error::other)?;
    let at_least = libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K;
    let compare = Step::Instruction(instruction(at_least, skipped, *bound));
    Ok([compare].into_iter().chain(below).chain(above).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the program allows a call, as the kernel would run it; else it must jump to its end.
    fn allows(program: &[sock_filter], arch: u32, call: u32) -> bool {
        let (mut at, mut value) = (0, 0);
        while let Some(step) = program.get(at) {
            let (code, k) = (u32::from(step.code), step.k);
            let mut compare =
                |holds: bool| at += usize::from(if holds { step.jt } else { step.jf });
            match code {
                0x20 if k == 0 => value = call,
                0x20 if k == 4 => value = arch,
                0x15 => compare(value == k),
                0x35 => compare(value >= k),
                0x05 => at += k as usize,
                0x06 => return k == 0x7fff_0000,
                _ => panic!("instruction {code:x} {k}"),
            }
            at += 1;
        }
        assert_eq!(at, program.len(), "a jump into what follows");
        false
    }

    #[test]
    fn the_calls_of_the_set_are_allowed_and_no_others() {
        const X86_64: u32 = 0xc000_003e;
        const I386: u32 = 0x4000_0003;
        let sets: [&[i64]; 6] =
            [&[], &[0], &[5], &[0, 1, 2, 5, 7, 8, 300], &[1, 3, 5, 7, 9, 11, 13], &[449]];
        let dense: Vec<_> = (0..500).filter(|call| call % 7 < 3).collect();
        for set in sets.into_iter().chain([&dense[..]]) {
            let calls: BTreeSet<_> = set.iter().copied().collect();
            let program = allow(TargetArch::x86_64, &calls).unwrap();
            for call in (0..600).chain([u32::MAX, 0x4000_0000, 0x4000_0001]) {
                let is_in = calls.contains(&i64::from(call));
                assert_eq!(allows(&program, X86_64, call), is_in, "{set:?} {call}");
                assert!(!allows(&program, I386, call), "{set:?} {call}");
            }
        }
    }

    #[test]
    fn more_calls_than_a_jump_can_skip_are_an_error() {
        let sparse = (0..1000).map(|number| 2 * number).collect();
        assert!(allow(TargetArch::x86_64, &sparse).is_err());
    }
}
