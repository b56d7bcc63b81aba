#pragma once
// Base64 (RFC 4648, with padding) for data URIs in tests; the loaders only decode it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vitrine::test {

inline std::string encode_base64(std::span<const std::byte> bytes)
{
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t group = 0;
        for (std::size_t n = 0; n < 3; ++n)
            group = group << 8 | (at + n < bytes.size() ? std::to_integer<std::uint32_t>(bytes[at + n]) : 0u);
        for (std::size_t n = 0; n < 4; ++n)
            text += at + n <= bytes.size() ? alphabet[group >> (18 - 6 * n) & 63u] : '=';
    }
    return text;
}

} // namespace vitrine::test
