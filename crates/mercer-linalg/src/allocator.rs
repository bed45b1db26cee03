//! What the allocator keeps of memory that was given back.

#![expect(
    unsafe_code,
    reason = "the C library's allocator is set by a call of it"
)]

/// Asks the allocator to return blocks of at least so many bytes to the system when they are
/// freed.
///
/// The allocator of glibc otherwise keeps what was freed, up to 64 MiB a thread, after it has seen
/// large blocks come and go: faster, but a limit on memory cannot count it. Blocks that go back
/// cost a page fault per 4 KiB when they are asked for again. This holds for the whole process, so
/// that only programs may do it, not libraries. Other allocators are left as they are.
pub fn return_blocks(bytes: usize) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// `M_MMAP_THRESHOLD` of `malloc.h`.
        const MMAP_THRESHOLD: i32 = -3;
        /// The largest threshold that is allowed, half of an arena's heap.
        const LARGEST: usize = 4 << 20 << (size_of::<usize>() / 8 * 3);
        unsafe extern "C" {
            fn mallopt(parameter: i32, value: i32) -> i32;
        }
        let bytes = i32::try_from(bytes.min(LARGEST)).unwrap_or(i32::MAX);
        // SAFETY: the declaration is that of `malloc.h`; the call only sets a number, under the
        // allocator's own lock.
        unsafe { mallopt(MMAP_THRESHOLD, bytes) };
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let _ = bytes;
}
