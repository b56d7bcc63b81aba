#include "loaders/io/base64.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "loaders/base/ascii.hpp"
#include "loaders/io/percent_encoding.hpp"

namespace vitrine::io {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t skipped_space = 0x40; // white space
constexpr std::uint8_t invalid_digit = 0x80;

constexpr std::array<std::uint8_t, 256> make_digits()
{
    std::array<std::uint8_t, 256> digits{};
    digits.fill(invalid_digit);
    for (std::size_t n = 0; n < alphabet.size(); ++n)
        digits[static_cast<unsigned char>(alphabet[n])] = static_cast<std::uint8_t>(n);
    digits['-'] = 62;
    digits['_'] = 63;
    for (const char c : {' ', '\t', '\r', '\n'})
        digits[static_cast<unsigned char>(c)] = skipped_space;
    return digits;
}
constexpr std::array<std::uint8_t, 256> digit_values = make_digits();

std::uint32_t digit_value(char c)
{
    return digit_values[static_cast<unsigned char>(c)];
}

std::byte low_byte(std::uint32_t value)
{
    return static_cast<std::byte>(value & 0xFFu);
}

// Decodes groups of four digits without other characters: nearly all of a typical text.
std::size_t decode_plain(std::string_view text, std::vector<std::byte>& out)
{
    std::size_t at = 0;
    std::size_t size = 0;
    for (; text.size() - at >= 4; at += 4, size += 3) {
        const std::uint32_t a = digit_value(text[at]), b = digit_value(text[at + 1]);
        const std::uint32_t c = digit_value(text[at + 2]), d = digit_value(text[at + 3]);
        if ((a | b | c | d) >= skipped_space) break;
        out[size] = low_byte(a << 2 | b >> 4);
        out[size + 1] = low_byte(b << 4 | c >> 2);
        out[size + 2] = low_byte(c << 6 | d);
    }
    out.resize(size);
    return at;
}

// Decodes the end with padding and white space, digit by digit.
bool decode_rest(std::string_view text, std::vector<std::byte>& out)
{
    std::uint32_t bits = 0;
    unsigned count = 0;
    while (!text.empty() && (text.back() == '=' || digit_value(text.back()) == skipped_space))
        text.remove_suffix(1);
    for (const char c : text) {
        const std::uint32_t value = digit_value(c);
        if (value == skipped_space) continue;
        if (value == invalid_digit) return false;
        bits = bits << 6 | value;
        count += 6;
        if (count >= 8) {
            count -= 8;
            out.push_back(low_byte(bits >> count));
        }
    }
    return count < 6; // a single remaining digit has too few bits for a byte
}

} // namespace

std::optional<std::vector<std::byte>> decode_base64(std::string_view text)
{
    std::vector<std::byte> out(text.size() / 4 * 3 + 3);
    const std::size_t done = decode_plain(text, out);
    if (!decode_rest(text.substr(done), out)) return std::nullopt;
    return out;
}

std::string encode_base64(std::string_view bytes)
{
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const auto byte = [&](std::size_t i) {
            return i < bytes.size() ? std::uint32_t{static_cast<unsigned char>(bytes[i])} : 0u;
        };
        const auto group = byte(at) << 16 | byte(at + 1) << 8 | byte(at + 2);
        const std::array<char, 4> four{alphabet[group >> 18], alphabet[group >> 12 & 63], alphabet[group >> 6 & 63],
                                       alphabet[group & 63]};
        text.append(four.data(), four.size());
    }
    const auto rest = bytes.size() % 3;
    if (rest > 0) text.replace(text.size() - (3 - rest), 3 - rest, 3 - rest, '=');
    return text;
}

bool is_data_uri(std::string_view uri)
{
    constexpr std::string_view scheme = "data:";
    return ascii::equal_ignoring_case(uri.substr(0, scheme.size()), scheme);
}

std::optional<DataUri> decode_data_uri(std::string_view uri)
{
    const std::size_t comma = uri.find(',');
    if (!is_data_uri(uri) || comma == std::string_view::npos) return std::nullopt;
    const std::string head = ascii::lower(uri.substr(5, comma - 5));
    const std::string_view payload = uri.substr(comma + 1);
    DataUri result{head.substr(0, head.find(';')), {}};
    if (!head.ends_with(";base64")) {
        const std::string text = percent_decode(payload);
        const Bytes bytes = std::as_bytes(std::span(text));
        result.bytes.assign(bytes.begin(), bytes.end());
        return result;
    }
    const bool escaped = payload.find('%') != std::string_view::npos;
    auto bytes = escaped ? decode_base64(percent_decode(payload)) : decode_base64(payload);
    if (!bytes) return std::nullopt;
    result.bytes = std::move(*bytes);
    return result;
}

} // namespace vitrine::io
