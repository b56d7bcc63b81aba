#pragma once
// VITRINE_ALSO_FOR_AVX2 before a function: compiled for every x86-64 processor and for those with AVX2; the
// dynamic loader chooses at program start (docs/decisions/0020-vectorized-loops.md). FMA is not enabled, so
// both versions round alike. ThreadSanitizer's instrumentation of that choice runs before its runtime library
// is ready.

#if defined(__x86_64__) && !__has_feature(thread_sanitizer)
#define VITRINE_ALSO_FOR_AVX2 __attribute__((target_clones("avx2", "default")))
#else
#define VITRINE_ALSO_FOR_AVX2
#endif
