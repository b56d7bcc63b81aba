#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace vitrine::server {

// Lower-case hexadecimal digits, two for each byte.
inline std::string to_hex(std::span<const std::byte> bytes)
{
    constexpr const char* digits = "0123456789abcdef";
    std::string hex;
    hex.reserve(2 * bytes.size());
    for (const auto byte : bytes) {
        hex += digits[std::to_integer<unsigned>(byte >> 4)];
        hex += digits[std::to_integer<unsigned>(byte & std::byte{15})];
    }
    return hex;
}

} // namespace vitrine::server
