#pragma once
// Converts text to numbers, independent of the locale. One rule for all text formats: a simple number is a
// sign, digits and for decimals an optional point, of at most 19 digits; its value is digits / 10^n in
// double. Any other number ("1e-3", more digits) is the nearest double. Three speeds with the same results:
//   scan_numbers(), read_three()  lists of simple numbers, as files store by the million (AVX2)
//   scan_decimal.hpp              one simple number, inline, without end checks
//   scan_number()                 any number
// A caller tries them in this order. Formats differ in what follows a number and in what is not a number:
//   OBJ     loaders/obj/scan.hpp: three per line; indices separated by '/', which it scans by itself
//   COLLADA loaders/dae/document/numbers.hpp: blanks; "0,5"; other words are 0
//   FBX     loaders/fbx/container/text_numbers.cpp: commas; long digits eight at a time
//   MD5     TextReader of text_reader.hpp: brackets, comments, at most 15 digits
//   MD3 and Quake scripts, MTL: parse_number()
// JSON is parsed by simdjson, whole integers in names and headers by parse_whole()
// of loaders/base.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace vitrine::io {

// The longest decimal number at the start of [first, last): sign, digits with an optional point ("1.", ".5",
// "+1e-3"), also "nan" and "inf". end == first: no number.
struct ScannedNumber {
    double value = 0.0;
    const char* end = nullptr;
};
ScannedNumber scan_number(const char* first, const char* last);

// Parses the whole text as a number; empty if it is not one.
std::optional<double> parse_number(std::string_view text);

enum class Separators : std::uint8_t { blanks, blanks_and_commas }; // characters between two numbers

struct NumberRun {
    const char* end = nullptr; // end of the text that was read; more numbers may follow
    std::size_t count = 0;
};

// Word ends are found for 64 characters at once, so that a number does not depend on the length of the
// previous one; digits are combined by SIMD arithmetic on 16 characters. Reads numbers from the front of
// [first, last) while they are simple: a sign, digits, for decimals an optional point, at most 19 digits
// (integers: 8). Stops before the first other number, when `out` is full, and about 80 characters before the
// end; on machines without AVX2 immediately. The caller reads the rest one by one with identical results:
// decimals are digits / 10^n in double, then float; std::uint32_t has the same bits as std::int32_t.
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
