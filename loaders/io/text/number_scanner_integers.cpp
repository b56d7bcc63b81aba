#include "loaders/io/text/number_scanner.hpp"

#if defined(__x86_64__)

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <type_traits>
#include <utility>

#include <immintrin.h>

#include "loaders/io/text/number_scanner_simd.hpp"
#include "loaders/io/text/scan_decimal.hpp"

namespace vitrine::io {
namespace {

// Integers of which the eight characters up to the last digit are loaded: combined four at a time, in large
// batches, because loading a wide value just after it was written in parts stalls (no store forwarding).
template <std::integral T>
struct IntegerBatch {
    static constexpr std::size_t capacity = 256;
    alignas(32) std::array<std::uint64_t, capacity + 4> chars; // digit values, zero-padded
    alignas(16) std::array<std::uint32_t, capacity + 4> signs; // all bits set for a negative number
    std::size_t count = 0;
    std::uint64_t max_length = 0; // longest word; with more than eight characters the batch is invalid
};

// Returns false if a word is not an integer of at most eight digits. Writes four values at a time.
template <std::integral T>
[[gnu::noinline]] VITRINE_AVX2 bool finish(IntegerBatch<T>& batch, T* out)
{
    std::fill_n(batch.chars.begin() + static_cast<std::ptrdiff_t>(batch.count), 4, std::uint64_t{0});
    __m256i non_digits = _mm256_setzero_si256();
    const __m256i tens = _mm256_set1_epi16(0x010A), hundreds = _mm256_set1_epi32(0x0001'0064);
    for (std::size_t i = 0; i < batch.count; i += 4) {
        const __m256i digits = _mm256_load_si256(reinterpret_cast<const __m256i*>(&batch.chars[i]));
        non_digits = _mm256_or_si256(non_digits, _mm256_subs_epu8(digits, _mm256_set1_epi8(9)));
        const __m256i fours = _mm256_madd_epi16(_mm256_maddubs_epi16(digits, tens), hundreds);
        const __m128i halves =
            _mm_packus_epi32(_mm256_castsi256_si128(fours), _mm256_extracti128_si256(fours, 1));
        __m128i values = _mm_madd_epi16(halves, _mm_set1_epi32(0x0001'2710));
        if constexpr (std::is_signed_v<T>) {
            const __m128i signs = _mm_load_si128(reinterpret_cast<const __m128i*>(&batch.signs[i]));
            values = _mm_sub_epi32(_mm_xor_si128(values, signs), signs);
        }
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), values);
    }
    return batch.max_length <= 8 && _mm256_testz_si256(non_digits, non_digits) != 0;
}

// Returns false if the word is not an integer of at most eight digits.
template <std::integral T>
VITRINE_AVX2 inline bool read_number(const char* at, std::uint64_t length, T& out)
{
    const std::uint64_t negative = !std::is_unsigned_v<T> && *at == '-' ? 1 : 0;
    at += negative;
    length -= negative;
    if (length - 1 > 7) return false;
    const std::uint64_t digits = eight_digits(at) << (64 - 8 * length);
    if (non_digits(digits) != 0) return false;
    const std::uint32_t size = join_eight_digits(digits);
    out = static_cast<T>((size ^ (0 - static_cast<std::uint32_t>(negative))) +
                         static_cast<std::uint32_t>(negative));
    return true;
}

// Reads numbers one by one: if a batch contains a word that is not simple, and near the end.
template <std::integral T, Separators between>
VITRINE_AVX2 NumberRun read_singly(const char* first, const char* last, std::span<T> out)
{
    const char* start = first; // of the word before the next separator
    std::size_t count = 0;
    for (const char* at = first; last - at >= block_bytes + max_word_read && at - start <= block_bytes;
         at += block_bytes) {
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

// Appends the words of a block to the batch; returns the start of the word that continues after it.
template <Separators between, std::integral T>
VITRINE_AVX2 inline const char* put_block(const char* at, const char* start, IntegerBatch<T>& batch)
{
    for (std::uint64_t ends = separators<between>(at); ends != 0; ends &= ends - 1) {
        const char* const end = at + std::countr_zero(ends);
        auto length = static_cast<std::uint64_t>(end - start);
        const bool is_word = length != 0;
        if constexpr (std::is_signed_v<T>) {
            const std::uint64_t negative = is_word && *start == '-' ? 1 : 0;
            start += negative;
            length -= negative;
            batch.signs[batch.count] = 0 - static_cast<std::uint32_t>(negative);
            batch.max_length |= is_word && length == 0 ? 16 : 0; // a sign without digits
        }
        batch.chars[batch.count] = eight_digits(start) << ((64 - 8 * length) & 63);
        batch.max_length = std::max(batch.max_length, length);
        batch.count += is_word ? 1 : 0;
        start = end + 1;
    }
    return start;
}

template <std::integral T, Separators between>
VITRINE_AVX2 NumberRun read_blocks(const char* first, const char* last, std::span<T> out)
{
    // includes the values that finish() writes past the end
    constexpr std::size_t max_in_block = block_bytes / 2 + 4;
    IntegerBatch<T> batch;
    const char *start = first, *written_until = first; // everything before `written_until` is in `out`
    // the batch size grows, so that a text of other words costs little
    std::size_t written_count = 0, batch_size = 1;
    bool is_plain = true;
    for (const char* at = first;
         is_plain && last - at >= block_bytes + max_word_read && at - start <= block_bytes;
         at += block_bytes) {
        if (out.size() - written_count < batch.count + max_in_block) break;
        start = put_block<between>(at, start, batch);
        if (batch.count < batch_size) continue;
        is_plain = finish(batch, &out[written_count]);
        if (!is_plain) break;
        written_count += std::exchange(batch.count, 0);
        written_until = start;
        batch_size = std::min(2 * batch_size, IntegerBatch<T>::capacity - max_in_block);
    }
    if (is_plain && batch.count > 0 && finish(batch, &out[written_count])) {
        written_count += batch.count;
        written_until = start;
    }
    const NumberRun rest = read_singly<T, between>(written_until, last, out.subspan(written_count));
    return {rest.end, written_count + rest.count};
}

template <std::integral T>
NumberRun read_integers(const char* first, const char* last, Separators between, std::span<T> out)
{
    if (!avx2_usable) return {first, 0};
    return between == Separators::blanks ? read_blocks<T, Separators::blanks>(first, last, out)
                                         : read_blocks<T, Separators::blanks_and_commas>(first, last, out);
}

} // namespace

NumberRun scan_numbers(const char* first, const char* last, Separators between, std::span<std::int32_t> out)
{
    return read_integers(first, last, between, out);
}

NumberRun scan_numbers(const char* first, const char* last, Separators between, std::span<std::uint32_t> out)
{
    return read_integers(first, last, between, out);
}

} // namespace vitrine::io

#else

namespace vitrine::io {

NumberRun scan_numbers(const char* first, const char*, Separators, std::span<std::int32_t>)
{
    return {first, 0};
}

NumberRun scan_numbers(const char* first, const char*, Separators, std::span<std::uint32_t>)
{
    return {first, 0};
}

} // namespace vitrine::io

#endif
