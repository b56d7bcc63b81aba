#include "loaders/io/plain_numbers.hpp"

#include "loaders/io/decimal.hpp"

#if defined(__x86_64__)

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include <immintrin.h>

#define VITRINE_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt")))

namespace vitrine::io {
namespace {

constexpr std::ptrdiff_t block = 64;
constexpr std::ptrdiff_t longest_read = 16; // from a word's first digit

// A number's digits without its point.
struct Digits {
    std::uint64_t mantissa = 0;
    std::uint64_t count = 0, decimals = 0;
    bool plain = false; // nothing else among them
};

// The characters of a block that separate numbers, a bit each.
template <Between between>
VITRINE_AVX2 inline std::uint64_t separators(const char* at)
{
    const __m256i blank = _mm256_set1_epi8(' '), comma = _mm256_set1_epi8(',');
    std::uint64_t bits = 0;
    for (int half = 0; half < 2; ++half) {
        const __m256i chars = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at + 32 * half));
        __m256i found = _mm256_cmpeq_epi8(_mm256_min_epu8(chars, blank), chars);
        if constexpr (between == Between::blanks_and_commas)
            found = _mm256_or_si256(found, _mm256_cmpeq_epi8(chars, comma));
        bits |= std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(found))} << 32 * half;
    }
    return bits;
}

// Windows into these make a shuffle. Of n characters from `right_aligned`[n]: that which moves them to the
// right end; of `before_point`[n]: one less for all but the last n places.
constexpr std::array<std::int8_t, 33> right_aligned = [] {
    std::array<std::int8_t, 33> out{};
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<std::int8_t>(static_cast<int>(i) - 16);
    return out;
}();
constexpr std::array<std::int8_t, 32> before_point = [] {
    std::array<std::int8_t, 32> out{};
    for (std::size_t i = 0; i < 16; ++i)
        out[i] = -1;
    return out;
}();

VITRINE_AVX2 inline __m128i load(const void* at)
{
    return _mm_loadu_si128(static_cast<const __m128i*>(at));
}

// Of `length` characters, 16 at most; 16 may be read. Neighbours are joined to numbers of two, four, eight
// digits.
VITRINE_AVX2 inline Digits read_word(const char* at, std::uint64_t length)
{
    const __m128i chars = load(at);
    const auto points =
        static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(chars, _mm_set1_epi8('.'))));
    // A number without a point is one with it at its end.
    const auto point = static_cast<std::uint64_t>(std::countr_zero(points | 1u << length));
    const std::uint64_t all = length + (point == length ? 1 : 0);
    Digits out{.count = all - 1, .decimals = all - 1 - point};
    const __m128i places = _mm_add_epi8(load(&right_aligned[all]), load(&before_point[out.decimals]));
    const __m128i digits = _mm_shuffle_epi8(_mm_sub_epi8(chars, _mm_set1_epi8('0')), places);
    const __m128i others = _mm_subs_epu8(digits, _mm_set1_epi8(9));
    out.plain = out.count != 0 && _mm_testz_si128(others, others) != 0;
    const __m128i pairs = _mm_maddubs_epi16(digits, _mm_set1_epi16(0x010A));
    const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(0x0001'0064));
    const __m128i eights = _mm_madd_epi16(_mm_packus_epi32(fours, fours), _mm_set1_epi32(0x0001'2710));
    const auto both = static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights));
    out.mantissa = (both & 0xFFFF'FFFF) * 100'000'000 + (both >> 32);
    return out;
}

// Of 17 to 20 characters: the last 16 of them, and those before one by one.
VITRINE_AVX2 inline Digits read_long_word(const char* at, std::uint64_t length)
{
    constexpr std::uint64_t powers[] = {1'000'000'000'000'000, 10'000'000'000'000'000};
    const char* const tail_at = at + length - 16;
    Digits head{.plain = true};
    bool has_point = false;
    for (; at < tail_at; ++at) {
        head.plain = head.plain && (digit(*at) < 10 || (*at == '.' && !has_point));
        has_point = has_point || *at == '.';
        if (*at == '.') continue;
        head.mantissa = head.mantissa * 10 + digit(*at);
        head.decimals += has_point ? 1 : 0;
        ++head.count;
    }
    const Digits tail = read_word(tail_at, 16);
    const bool two_points = has_point && tail.count == 15;
    return {.mantissa = head.mantissa * powers[tail.count - 15] + tail.mantissa,
            .count = head.count + tail.count,
            .decimals = has_point ? head.decimals + 16 : tail.decimals,
            .plain = head.plain && tail.plain && !two_points && head.count + tail.count <= 19};
}

// False where the word is not plain.
template <class T>
VITRINE_AVX2 inline bool read_number(const char* at, std::uint64_t length, T& out)
{
    const std::uint64_t negative = !std::is_unsigned_v<T> && *at == '-' ? 1 : 0;
    at += negative;
    length -= negative;
    if constexpr (std::is_floating_point_v<T>) {
        if (length > 20) return false;
        const Digits digits = length <= 16 ? read_word(at, length) : read_long_word(at, length);
        if (!digits.plain) return false;
        const double size = static_cast<double>(digits.mantissa) / powers_of_ten[digits.decimals];
        out = static_cast<T>(std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) ^ negative << 63));
    } else {
        std::uint64_t chars = 0;
        std::memcpy(&chars, at, sizeof chars);
        if (length - 1 > 7) return false;
        chars = (chars ^ 0x3030'3030'3030'3030u) << (64 - 8 * length);
        if (((chars | (chars + 0x7676'7676'7676'7676u)) & 0x8080'8080'8080'8080u) != 0) return false;
        constexpr std::uint64_t fours = 0x0000'00FF'0000'00FFu;
        chars = chars * 10 + (chars >> 8);
        const std::uint64_t value =
            (chars & fours) * 0x000F'4240'0000'0064u + (chars >> 16 & fours) * 0x0000'2710'0000'0001u;
        const auto size = static_cast<std::uint32_t>(value >> 32);
        out = static_cast<T>((size ^ (0 - static_cast<std::uint32_t>(negative))) +
                             static_cast<std::uint32_t>(negative));
    }
    return true;
}

template <class T, Between between>
VITRINE_AVX2 PlainRun read_blocks(const char* first, const char* last, std::span<T> out)
{
    const char* start = first; // of the word that the next separator ends
    std::size_t count = 0;
    for (const char* at = first; last - at >= block + longest_read && at - start <= block; at += block) {
        for (std::uint64_t ends = separators<between>(at); ends != 0; ends &= ends - 1) {
            const char* const end = at + std::countr_zero(ends);
            const auto length = static_cast<std::uint64_t>(end - start);
            if (length != 0) {
                if (count == out.size() || !read_number(start, length, out[count])) return {start, count};
                ++count;
            }
            start = end + 1;
        }
    }
    return {start, count};
}

// What a line may not have between its numbers, a bit each.
VITRINE_AVX2 inline std::uint64_t line_breaks(const char* at)
{
    std::uint64_t bits = 0;
    for (int half = 0; half < 2; ++half) {
        const __m256i chars = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at + 32 * half));
        const __m256i control = _mm256_cmpeq_epi8(_mm256_min_epu8(chars, _mm256_set1_epi8(0x1F)), chars);
        const __m256i tab = _mm256_cmpeq_epi8(chars, _mm256_set1_epi8('\t'));
        const int found = _mm256_movemask_epi8(_mm256_andnot_si256(tab, control));
        bits |= std::uint64_t{static_cast<std::uint32_t>(found)} << 32 * half;
    }
    return bits;
}

template <std::size_t count>
VITRINE_AVX2 const char* read_line(const char* at, std::span<double, count> out)
{
    const std::uint64_t blanks = separators<Between::blanks>(at);
    std::uint64_t words = ~blanks, start = 0, end = 0;
    for (double& value : out) {
        start = static_cast<std::uint64_t>(std::countr_zero(words));
        const std::uint64_t ends = words == 0 ? 0 : blanks & (~std::uint64_t{0} << start);
        if (ends == 0) return nullptr;
        end = static_cast<std::uint64_t>(std::countr_zero(ends));
        words = ~blanks & (~std::uint64_t{0} << end);
        if (!read_number(at + start, end - start, value) || std::abs(value) > 1e17) return nullptr;
    }
    const std::uint64_t before_last = (std::uint64_t{1} << start) - 1;
    return (line_breaks(at) & before_last) == 0 ? at + end : nullptr;
}

const bool usable = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt");

} // namespace

const char* read_plain_line(const char* at, std::span<double, 3> out)
{
    return usable ? read_line(at, out) : nullptr;
}

const char* read_plain_line(const char* at, std::span<double, 2> out)
{
    return usable ? read_line(at, out) : nullptr;
}

template <class T>
PlainRun read_plain(const char* first, const char* last, Between between, std::span<T> out)
{
    if (!usable) return {first, 0};
    return between == Between::blanks ? read_blocks<T, Between::blanks>(first, last, out)
                                      : read_blocks<T, Between::blanks_and_commas>(first, last, out);
}

} // namespace vitrine::io

#else

namespace vitrine::io {

const char* read_plain_line(const char*, std::span<double, 3>)
{
    return nullptr;
}

const char* read_plain_line(const char*, std::span<double, 2>)
{
    return nullptr;
}

template <class T>
PlainRun read_plain(const char* first, const char*, Between, std::span<T>)
{
    return {first, 0};
}

} // namespace vitrine::io

#endif

namespace vitrine::io {

template PlainRun read_plain(const char*, const char*, Between, std::span<float>);
template PlainRun read_plain(const char*, const char*, Between, std::span<double>);
template PlainRun read_plain(const char*, const char*, Between, std::span<std::int32_t>);
template PlainRun read_plain(const char*, const char*, Between, std::span<std::uint32_t>);

} // namespace vitrine::io
