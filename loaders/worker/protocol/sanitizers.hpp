#pragma once
// What differs in builds with sanitizers or coverage: they reserve terabytes of addresses, report on standard
// error and read their options and output names from the environment.

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

// The loader process's environment for posix_spawn: large pages for large pieces of memory, which makes large
// files a fifth faster, and those variables of sanitizers and coverage that are set. Points into the running
// program's environment.
std::vector<char*> loader_environment();

} // namespace vitrine::worker
