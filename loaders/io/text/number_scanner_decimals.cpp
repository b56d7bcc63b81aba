#include "loaders/io/text/number_scanner.hpp"

#if defined(__x86_64__)

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>

#include <immintrin.h>

#include "loaders/io/text/number_scanner_simd.hpp"

namespace vitrine::io {
namespace {

// Numbers whose digits were split: combined, divided and stored four at a time. Batches are large, because
// loading a wide value just after it was written in parts stalls (no store forwarding).
struct DecimalBatch {
    static constexpr std::size_t capacity = 128;
    struct LongNumber { // a long number, converted separately
        std::size_t at;
        double value;
    };
    alignas(32) std::array<std::array<char, 16>, capacity> digits;
    alignas(32) std::array<double, capacity> divisors;
    std::array<LongNumber, capacity> long_numbers;
    std::size_t long_count = 0;
};

// Reads a word of 17 to 20 characters. Returns false if the word is not simple.
[[gnu::noinline]] VITRINE_AVX2 bool put_long(const char* at, std::uint64_t length, bool negative,
                                             DecimalBatch& batch, std::size_t i)
{
    double value = 0.0;
    if (length > 20 || !read_long_word(at, length, negative, value)) return false;
    batch.digits[i].fill(0);
    batch.divisors[i] = 1.0;
    batch.long_numbers[batch.long_count++] = {i, value};
    return true;
}

// Returns false if the word is not simple.
VITRINE_AVX2 inline bool put(const char* at, std::uint64_t length, DecimalBatch& batch, std::size_t i)
{
    const std::uint64_t negative = *at == '-' ? 1 : 0;
    at += negative;
    length -= negative;
    if (length > max_short_length) return put_long(at, length, negative != 0, batch, i);
    const WordDigits digits = split_word(at, length);
    _mm_store_si128(reinterpret_cast<__m128i*>(batch.digits[i].data()), digits.digits);
    batch.divisors[i] = signed_powers_of_ten[digits.from_point][negative];
    return digits.plain;
}

// Converts to the nearest doubles: each half of an integer becomes the low bits of a double, and only their
// sum is rounded.
VITRINE_AVX2 inline __m256d to_double(__m256i integers)
{
    const __m256i low = _mm256_blend_epi32(integers, _mm256_set1_epi64x(0x4330'0000'0000'0000), 0b1010'1010);
    const __m256i high =
        _mm256_or_si256(_mm256_srli_epi64(integers, 32), _mm256_set1_epi64x(0x4530'0000'0000'0000));
    const __m256d both = _mm256_castsi256_pd(_mm256_set1_epi64x(0x4530'0000'0010'0000)); // 2^84 + 2^52
    return _mm256_add_pd(_mm256_sub_pd(_mm256_castsi256_pd(high), both), _mm256_castsi256_pd(low));
}

// Combines the digits of four numbers.
VITRINE_AVX2 inline __m256i join_four(__m256i first, __m256i second)
{
    const __m256i tens = _mm256_set1_epi16(0x010A), hundreds = _mm256_set1_epi32(0x0001'0064);
    const __m256i fours =
        _mm256_packus_epi32(_mm256_madd_epi16(_mm256_maddubs_epi16(first, tens), hundreds),
                            _mm256_madd_epi16(_mm256_maddubs_epi16(second, tens), hundreds));
    const __m256i eights = _mm256_madd_epi16(fours, _mm256_set1_epi32(0x0001'2710)); // for numbers 0, 2, 1, 3
    const __m256i mantissas = _mm256_add_epi64(_mm256_mul_epu32(eights, _mm256_set1_epi64x(100'000'000)),
                                               _mm256_srli_epi64(eights, 32));
    return _mm256_permute4x64_epi64(mantissas, _MM_SHUFFLE(3, 1, 2, 0));
}

// The four numbers from i on.
VITRINE_AVX2 inline __m256d divide(const DecimalBatch& batch, std::size_t i)
{
    const auto* digits = reinterpret_cast<const __m256i*>(batch.digits[i].data());
    const __m256i mantissas = join_four(_mm256_load_si256(digits), _mm256_load_si256(digits + 1));
    return _mm256_div_pd(to_double(mantissas), _mm256_load_pd(&batch.divisors[i]));
}

VITRINE_AVX2 inline void store(__m256d values, double* to)
{
    _mm256_storeu_pd(to, values);
}
VITRINE_AVX2 inline void store(__m256d values, float* to)
{
    _mm_storeu_ps(to, _mm256_cvtpd_ps(values));
}

// Stores as many numbers as `out` has room for. Not inlined, to save registers in the calling loop.
template <class T>
[[gnu::noinline]] VITRINE_AVX2 void finish(DecimalBatch& batch, std::span<T> out)
{
    std::size_t i = 0;
    for (; i + 4 <= out.size(); i += 4)
        store(divide(batch, i), &out[i]);
    if (i < out.size()) {
        std::array<T, 4> rest;
        store(divide(batch, i), rest.data());
        std::copy_n(rest.begin(), out.size() - i, out.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for (std::size_t k = 0; k < batch.long_count; ++k)
        out[batch.long_numbers[k].at] = static_cast<T>(batch.long_numbers[k].value);
    batch.long_count = 0;
}

// Result of reading the words of a block into a batch of at most `max_count`; `start` is the start of
// the first word, then of the first unread word.
struct Words {
    const char* start;
    std::size_t count;
    enum class End : std::uint8_t { block, room, not_simple } end;
};
template <Separators between>
VITRINE_AVX2 inline Words read_words(const char* at, const char* start, DecimalBatch& batch,
                                     std::size_t count, std::size_t max_count)
{
    for (std::uint64_t ends = separators<between>(at); ends != 0; ends &= ends - 1) {
        const char* const end = at + std::countr_zero(ends);
        const auto length = static_cast<std::uint64_t>(end - start);
        if (length != 0) {
            if (count == max_count) return {start, count, Words::End::room};
            if (!put(start, length, batch, count)) return {start, count, Words::End::not_simple};
            ++count;
        }
        start = end + 1;
    }
    return {start, count, Words::End::block};
}

template <std::floating_point T, Separators between>
VITRINE_AVX2 NumberRun read_blocks(const char* at, const char* last, std::span<T> out)
{
    DecimalBatch batch;
    Words words{at, 0, Words::End::block};
    std::size_t done = 0;
    while (last - at >= block_bytes + max_word_read && at - words.start <= block_bytes) {
        const std::size_t max_count = std::min(out.size() - done, DecimalBatch::capacity);
        words = read_words<between>(at, words.start, batch, words.count, max_count);
        at += block_bytes;
        if (words.end == Words::End::block) continue;
        finish(batch, out.subspan(done, words.count));
        done += words.count;
        words.count = 0;
        at = words.start;
        if (words.end == Words::End::not_simple || done == out.size()) return {at, done};
    }
    finish(batch, out.subspan(done, words.count));
    return {words.start, done + words.count};
}

// Bit mask of the line-break characters, which end a line of numbers.
VITRINE_AVX2 inline std::uint64_t line_breaks(const char* at)
{
    std::uint64_t bits = 0;
    for (std::ptrdiff_t half = 0; half < 2; ++half) {
        const __m256i chars = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at + 32 * half));
        const __m256i control = _mm256_cmpeq_epi8(_mm256_min_epu8(chars, _mm256_set1_epi8(0x1F)), chars);
        const __m256i tab = _mm256_cmpeq_epi8(chars, _mm256_set1_epi8('\t'));
        const int found = _mm256_movemask_epi8(_mm256_andnot_si256(tab, control));
        bits |= std::uint64_t{static_cast<std::uint32_t>(found)} << 32 * half;
    }
    return bits;
}

// The end of the last number depends on as few values as possible, since the next line waits for it.
template <std::size_t count>
VITRINE_AVX2 const char* read_line(const char* line, std::span<double, 4> out)
{
    static_assert(count == 2 || count == 3);
    const std::uint64_t blanks = separators<Separators::blanks>(line), after_blanks = blanks << 1 | 1;
    std::uint64_t starts = ~blanks & after_blanks, ends = blanks & ~after_blanks;
    std::array<__m128i, 4> digits{};
    std::array<double, 4> by{1.0, 1.0, 1.0, 1.0};
    int start = 0, end = 0;
    bool plain = true;
    for (std::size_t i = 0; i < count; ++i) {
        if (ends == 0) return nullptr;
        start = std::countr_zero(starts);
        end = std::countr_zero(ends);
        starts &= starts - 1;
        ends &= ends - 1;
        const std::uint64_t negative = line[start] == '-' ? 1 : 0;
        const auto length = static_cast<std::uint64_t>(end - start) - negative;
        if (length > max_short_length) return nullptr;
        const WordDigits word = split_word(line + start + negative, length);
        digits[i] = word.digits;
        by[i] = signed_powers_of_ten[word.from_point][negative];
        plain = plain && word.plain;
    }
    if (!plain || (line_breaks(line) & ((std::uint64_t{1} << start) - 1)) != 0) return nullptr;
    const __m256i mantissas =
        join_four(_mm256_set_m128i(digits[1], digits[0]), _mm256_set_m128i(digits[3], digits[2]));
    _mm256_storeu_pd(out.data(),
                     _mm256_div_pd(to_double(mantissas), _mm256_set_pd(by[3], by[2], by[1], by[0])));
    return line + end;
}

template <std::floating_point T>
NumberRun read_decimals(const char* first, const char* last, Separators between, std::span<T> out)
{
    if (!avx2_usable) return {first, 0};
    return between == Separators::blanks ? read_blocks<T, Separators::blanks>(first, last, out)
                                         : read_blocks<T, Separators::blanks_and_commas>(first, last, out);
}

} // namespace

const char* read_three(const char* at, std::span<double, 4> out)
{
    return avx2_usable ? read_line<3>(at, out) : nullptr;
}

const char* read_two(const char* at, std::span<double, 4> out)
{
    return avx2_usable ? read_line<2>(at, out) : nullptr;
}

NumberRun scan_numbers(const char* first, const char* last, Separators between, std::span<float> out)
{
    return read_decimals(first, last, between, out);
}

NumberRun scan_numbers(const char* first, const char* last, Separators between, std::span<double> out)
{
    return read_decimals(first, last, between, out);
}

} // namespace vitrine::io

#else

namespace vitrine::io {

const char* read_three(const char*, std::span<double, 4>)
{
    return nullptr;
}

const char* read_two(const char*, std::span<double, 4>)
{
    return nullptr;
}

NumberRun scan_numbers(const char* first, const char*, Separators, std::span<float>)
{
    return {first, 0};
}

NumberRun scan_numbers(const char* first, const char*, Separators, std::span<double>)
{
    return {first, 0};
}

} // namespace vitrine::io

#endif
