#pragma once
// Long lists of numbers, as text formats hold them by the million. A word's end is found for sixty-four
// characters at once, so that no number waits for the length of the one before it, and its digits are joined
// by arithmetic over sixteen characters.

#include <cstddef>
#include <cstdint>
#include <span>

namespace vitrine::io {

enum class Separators : std::uint8_t { blanks, blanks_and_commas }; // what stands between two numbers

struct NumberRun {
    const char* end = nullptr; // what was read ends here; numbers may follow
    std::size_t count = 0;
};

// Reads numbers from the front of [first, last) for as long as they are plain: a sign, digits, of decimals
// perhaps a point, at most 19 digits (integers: 8). Stops before the first that is not, when `out` is full,
// and some 80 characters before the end; on machines without AVX2 at once. What follows is read one by one by
// the caller, with the same results: decimals are digits / 10^n in double, then float; std::uint32_t has the
// same bits as std::int32_t.
NumberRun scan_numbers(const char* first, const char* last, Separators between, std::span<float> out);
NumberRun scan_numbers(const char* first, const char* last, Separators between, std::span<double> out);
NumberRun scan_numbers(const char* first, const char* last, Separators between, std::span<std::int32_t> out);
NumberRun scan_numbers(const char* first, const char* last, Separators between, std::span<std::uint32_t> out);

// As many numbers of a line: plain, of at most 16 characters behind their sign, blanks or tabs before each
// and white space behind the last. Null where it is otherwise or they reach further than 63 characters from
// `at`, else where the last one ends. line_read_ahead characters are readable. What `out` holds beyond the
// numbers means nothing.
const char* read_three(const char* at, std::span<double, 4> out);
const char* read_two(const char* at, std::span<double, 4> out);
inline constexpr std::size_t line_read_ahead = 80;

} // namespace vitrine::io
