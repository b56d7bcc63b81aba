// Conversion of bytes to text, and of text for messages.

#include <algorithm>

#include <fmt/format.h>

#include "loaders/base/utf8.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::io {
namespace {

// Unpaired surrogates become U+FFFD.
void utf16_to_utf8(Bytes bytes, bool big_endian, std::string& out)
{
    const auto unit = [&](std::size_t i) {
        const auto a = std::to_integer<std::uint32_t>(bytes[i]),
                   b = std::to_integer<std::uint32_t>(bytes[i + 1]);
        return big_endian ? a << 8 | b : b << 8 | a;
    };
    out.reserve(bytes.size() / 2);
    for (std::size_t i = 2; i + 1 < bytes.size(); i += 2) {
        std::uint32_t code = unit(i);
        const bool high = code >= 0xD800 && code < 0xDC00;
        if (high && i + 3 < bytes.size() && unit(i + 2) >= 0xDC00 && unit(i + 2) < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (unit(i + 2) - 0xDC00);
            i += 2;
        } else if (code >= 0xD800 && code < 0xE000) {
            code = 0xFFFD;
        }
        append_utf8(out, code);
    }
}

// Invalid characters become U+FFFD.
void utf32_to_utf8(Bytes bytes, bool big_endian, std::string& out)
{
    out.reserve(bytes.size() / 4);
    for (std::size_t i = 4; i + 3 < bytes.size(); i += 4) {
        std::uint32_t code = 0;
        for (std::size_t b = 0; b < 4; ++b)
            code = code << 8 | std::to_integer<std::uint32_t>(bytes[i + (big_endian ? b : 3 - b)]);
        const bool is_character = code < 0xD800 || (code >= 0xE000 && code < 0x110000);
        append_utf8(out, is_character ? code : 0xFFFD);
    }
}

} // namespace

std::string_view as_text(Bytes bytes, std::string& storage)
{
    const auto starts = [&](std::initializer_list<unsigned> mark) {
        return bytes.size() >= mark.size() &&
               std::ranges::equal(mark, bytes.first(mark.size()),
                                  [](unsigned a, std::byte b) { return a == std::to_integer<unsigned>(b); });
    };
    const bool big_endian_32 = starts({0x00, 0x00, 0xFE, 0xFF});
    if (big_endian_32 || starts({0xFF, 0xFE, 0x00, 0x00})) {
        storage.clear();
        utf32_to_utf8(bytes, big_endian_32, storage);
        return storage;
    }
    if (starts({0xFE, 0xFF}) || starts({0xFF, 0xFE})) {
        storage.clear();
        utf16_to_utf8(bytes, starts({0xFE, 0xFF}), storage);
        return storage;
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return starts({0xEF, 0xBB, 0xBF}) ? text.substr(3) : text;
}

std::string shown(std::string_view text)
{
    constexpr std::size_t max_bytes = 40;
    const std::string out = to_utf8(truncate_utf8(text, 4 * max_bytes));
    if (out.size() <= max_bytes) return "'" + out + "'";
    return fmt::format("'{}...'", truncate_utf8(out, max_bytes));
}

} // namespace vitrine::io
