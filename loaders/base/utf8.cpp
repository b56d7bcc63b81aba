#include "loaders/base/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace vitrine {
namespace {

// The length of the ASCII characters at the start, in units of eight.
std::size_t ascii_words(std::string_view text)
{
    std::size_t at = 0;
    for (std::uint64_t word = 0; at + sizeof word <= text.size(); at += sizeof word) {
        std::memcpy(&word, text.data() + at, sizeof word);
        if ((word & 0x8080'8080'8080'8080u) != 0) break;
    }
    return at;
}

} // namespace

std::size_t sequence_length(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xc2 ? 0
                               : lead < 0xe0 ? 2
                               : lead < 0xf0 ? 3
                               : lead < 0xf5 ? 4
                                             : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    const bool overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
    const bool surrogate = lead == 0xed && byte(1) > 0x9f;
    const bool too_large = lead == 0xf4 && byte(1) > 0x8f;
    return overlong || surrogate || too_large ? 0 : length;
}

bool is_utf8(std::string_view text)
{
    while (!text.empty()) {
        text.remove_prefix(ascii_words(text));
        if (text.empty()) return true;
        const std::size_t length = sequence_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string_view truncate_utf8(std::string_view text, std::size_t bytes)
{
    if (text.size() <= bytes) return text;
    while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80)
        --bytes;
    return text.substr(0, bytes);
}

} // namespace vitrine
