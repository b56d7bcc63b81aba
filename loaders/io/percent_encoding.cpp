#include "loaders/io/percent_encoding.hpp"

#include <cstdint>
#include <optional>

#include "loaders/base/ascii.hpp"

namespace vitrine::io {
namespace {

std::optional<std::uint32_t> hex(char c)
{
    if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0');
    const char l = ascii::to_lower(c);
    if (l >= 'a' && l <= 'f') return static_cast<std::uint32_t>(l - 'a' + 10);
    return std::nullopt;
}

} // namespace

std::string percent_decode(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool sequence = text[at] == '%' && text.size() - at > 2;
        const auto high = sequence ? hex(text[at + 1]) : std::nullopt;
        const auto low = sequence ? hex(text[at + 2]) : std::nullopt;
        if (high && low) {
            out += static_cast<char>(*high << 4 | *low);
            at += 2;
        } else {
            out += text[at];
        }
    }
    return out;
}

} // namespace vitrine::io
