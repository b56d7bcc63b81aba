#pragma once
// Differences in builds with sanitizers or coverage: these reserve terabytes of address space, write to
// standard error and read options and output names from the environment.

#include <vector>

namespace vitrine::worker {

#if defined(__has_feature)
#define VITRINE_HAS_FEATURE(x) __has_feature(x)
#else
#define VITRINE_HAS_FEATURE(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                                         \
    VITRINE_HAS_FEATURE(address_sanitizer) || VITRINE_HAS_FEATURE(thread_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#undef VITRINE_HAS_FEATURE

#if defined(VITRINE_COVERAGE)
inline constexpr bool instrumented = true;
#else
inline constexpr bool instrumented = sanitized;
#endif

// The environment of the loader process for posix_spawn: huge pages for large allocations, which loads large
// files a fifth faster, and the variables of sanitizers and coverage that are set. Refers to the environment
// of the running program.
std::vector<char*> loader_environment();

} // namespace vitrine::worker
