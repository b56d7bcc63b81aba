#pragma once
// Scans long lists of numbers, as text formats store by the million. Word ends are found for 64 characters at
// once, so that a number does not depend on the length of the previous one; digits are combined by SIMD
// arithmetic on 16 characters.

#include <cstddef>
#include <cstdint>
#include <span>

namespace vitrine::io {

enum class Separators : std::uint8_t { blanks, blanks_and_commas }; // characters between two numbers

struct NumberRun {
    const char* end = nullptr; // end of the text that was read; more numbers may follow
    std::size_t count = 0;
};

// Reads numbers from the front of [first, last) while they are simple: a sign, digits, for decimals an
// optional point, at most 19 digits (integers: 8). Stops before the first other number, when `out` is full,
// and about 80 characters before the end; on machines without AVX2 immediately. The caller reads the rest one
// by one with identical results: decimals are digits / 10^n in double, then float; std::uint32_t has the same
// bits as std::int32_t.
NumberRun scan_numbers(const char* first, const char* last, Separators between, std::span<float> out);
NumberRun scan_numbers(const char* first, const char* last, Separators between, std::span<double> out);
NumberRun scan_numbers(const char* first, const char* last, Separators between, std::span<std::int32_t> out);
NumberRun scan_numbers(const char* first, const char* last, Separators between, std::span<std::uint32_t> out);

// Reads three numbers of a line: simple, at most 16 characters after the sign, spaces or tabs before each and
// white space after the last. Returns the end of the last number, or null if the text differs or extends more
// than 63 characters from `at`. Precondition: line_read_ahead characters are readable. Elements of `out`
// beyond the numbers are unspecified.
const char* read_three(const char* at, std::span<double, 4> out);
const char* read_two(const char* at, std::span<double, 4> out);
inline constexpr std::size_t line_read_ahead = 80;

} // namespace vitrine::io
