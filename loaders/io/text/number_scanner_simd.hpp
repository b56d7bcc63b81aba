#pragma once
// SIMD parts of the number scanner: finds the word ends in 64 characters at once and converts one word by
// arithmetic on 16 characters. Requires AVX2. Private to number_scanner_decimals.cpp and
// number_scanner_integers.cpp.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <immintrin.h>

#include "loaders/io/text/number_scanner.hpp"
#include "loaders/io/text/scan_decimal.hpp"

#define VITRINE_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt")))

namespace vitrine::io {

// Whether the processor supports functions marked VITRINE_AVX2.
inline bool has_avx2()
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt");
}

inline const bool avx2_usable = has_avx2();

inline constexpr std::ptrdiff_t block_bytes = 64;
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

VITRINE_AVX2 inline __m128i load(const void* at)
{
    return _mm_loadu_si128(static_cast<const __m128i*>(at));
}

// Shuffle masks that right-align the digits of a word, by its length and the position of the point (`length`
// if there is none). For a word without digits the mask yields non-digits.
inline constexpr std::uint64_t max_short_length = 16;
inline constexpr auto digit_shuffles = [] {
    using Places = std::array<std::int8_t, 16>;
    std::array<std::array<Places, 32>, max_short_length + 1> out{};
    for (std::size_t length = 0; length <= max_short_length; ++length) {
        for (std::size_t point = 0; point <= length; ++point) {
            Places& places = out[length][point];
            places.fill(-1);
            std::size_t to = places.size();
            for (std::size_t from = length; from-- > 0;)
                if (from != point) places[--to] = static_cast<std::int8_t>(from);
            if (to == places.size()) places.back() = 0;
        }
    }
    return out;
}();

// Divisors by the number of characters from the point on, without and with a sign.
inline constexpr auto signed_powers_of_ten = [] {
    std::array<std::array<double, 2>, 21> out{};
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = {powers_of_ten[i == 0 ? 0 : i - 1], -powers_of_ten[i == 0 ? 0 : i - 1]};
    return out;
}();

// The digits of a word without the point, and the number of characters from the point on.
struct WordDigits {
    __m128i digits;
    std::uint64_t from_point;
    bool plain; // contains no other characters
};

// For a word of at most max_short_length characters; that many characters must be readable.
VITRINE_AVX2 inline WordDigits split_word(const char* at, std::uint64_t length)
{
    const __m128i chars = load(at);
    const auto points =
        static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(chars, _mm_set1_epi8('.'))));
    const auto point = static_cast<std::uint64_t>(std::countr_zero(points | 1u << length));
    const __m128i places = load(digit_shuffles[length][point].data());
    const __m128i digits = _mm_shuffle_epi8(_mm_sub_epi8(chars, _mm_set1_epi8('0')), places);
    const __m128i non_digits = _mm_subs_epu8(digits, _mm_set1_epi8(9));
    return {digits, length - point, _mm_testz_si128(non_digits, non_digits) != 0};
}

// Combines adjacent digits to numbers of two, four, eight and sixteen digits.
VITRINE_AVX2 inline std::uint64_t join_sixteen_digits(__m128i digits)
{
    const __m128i pairs = _mm_maddubs_epi16(digits, _mm_set1_epi16(0x010A));
    const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(0x0001'0064));
    const __m128i eights = _mm_madd_epi16(_mm_packus_epi32(fours, fours), _mm_set1_epi32(0x0001'2710));
    const auto both = static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights));
    return (both & 0xFFFF'FFFF) * 100'000'000 + (both >> 32);
}

// Reads a word of 17 to 20 characters: the last 16 at once, the others one by one. Returns false if the
// word is not simple.
VITRINE_AVX2 inline bool read_long_word(const char* at, std::uint64_t length, bool negative, double& out)
{
    constexpr std::uint64_t powers[] = {10'000'000'000'000'000, 1'000'000'000'000'000};
    const std::uint64_t before = length - max_short_length;
    std::uint64_t head = 0, from_point = 0;
    bool plain = true;
    for (std::uint64_t i = 0; i < before; ++i) {
        const bool is_point = at[i] == '.' && from_point == 0;
        plain = plain && (is_point || digit(at[i]) < 10);
        if (is_point)
            from_point = length - i;
        else
            head = head * 10 + digit(at[i]);
    }
    const WordDigits tail = split_word(at + before, max_short_length);
    const bool is_in_tail = tail.from_point != 0, has_point = from_point != 0;
    const std::uint64_t digits = length - (has_point || is_in_tail ? 1 : 0);
    if (!plain || !tail.plain || (has_point && is_in_tail) || digits > 19) return false;
    const std::uint64_t mantissa = head * powers[is_in_tail ? 1 : 0] + join_sixteen_digits(tail.digits);
    out = static_cast<double>(mantissa) /
          signed_powers_of_ten[has_point ? from_point : tail.from_point][negative ? 1 : 0];
    return true;
}

} // namespace vitrine::io
