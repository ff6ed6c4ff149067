// SPDX-License-Identifier: MIT
#pragma once

// ThreadSanitizer cannot see the synchronisation inside Qt's event queue and thread pool, as the system's Qt
// is not built with it. These tell it where data changes hands. Nothing in any other build.
#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void *address); // NOLINT(bugprone-reserved-identifier)
extern "C" void __tsan_release(void *address); // NOLINT(bugprone-reserved-identifier)
#endif

namespace kv {

#if defined(__SANITIZE_THREAD__)
inline char g_handOver = 0;
/// Before something is given to another thread.
inline void handsOver() { __tsan_release(&g_handOver); }
/// First thing in the thread that got it.
inline void takesOver() { __tsan_acquire(&g_handOver); }
#else
inline void handsOver() { }
inline void takesOver() { }
#endif

/// Both, around what is done there for somebody else.
class HandOver final {
public:
    HandOver() { takesOver(); }
    ~HandOver() { handsOver(); }
    HandOver(const HandOver &) = delete;
    HandOver &operator=(const HandOver &) = delete;
    HandOver(HandOver &&) = delete;
    HandOver &operator=(HandOver &&) = delete;
};

} // namespace kv
