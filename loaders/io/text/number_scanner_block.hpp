#pragma once
// Finds the word ends in 64 characters at once. Requires AVX2. Private to number_scanner_decimals.cpp and
// number_scanner_integers.cpp.

#include <cstddef>
#include <cstdint>

#include <immintrin.h>

#include "loaders/io/text/number_scanner.hpp"

#define VITRINE_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt")))

namespace vitrine::io {

// Whether the processor supports functions marked VITRINE_AVX2.
inline bool has_avx2()
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt");
}

inline constexpr std::ptrdiff_t block = 64;
inline constexpr std::ptrdiff_t max_word_read = 16; // from a word's first digit

// Bit mask of the separator characters in a block.
template <Separators between>
VITRINE_AVX2 inline std::uint64_t separators(const char* at)
{
    const __m256i blank = _mm256_set1_epi8(' '), comma = _mm256_set1_epi8(',');
    std::uint64_t bits = 0;
    for (std::ptrdiff_t half = 0; half < 2; ++half) {
        const __m256i chars = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at + 32 * half));
        __m256i found = _mm256_cmpeq_epi8(_mm256_min_epu8(chars, blank), chars);
        if constexpr (between == Separators::blanks_and_commas)
            found = _mm256_or_si256(found, _mm256_cmpeq_epi8(chars, comma));
        bits |= std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(found))} << 32 * half;
    }
    return bits;
}

} // namespace vitrine::io
