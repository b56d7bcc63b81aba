#include "server/util/ids.hpp"

#include <array>
#include <cstdint>
#include <stdexcept>

#include <sys/random.h>

#include "server/util/clock.hpp"

namespace vitrine::server {

namespace {

constexpr std::string_view alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

std::array<std::uint8_t, 10> random_bytes()
{
    std::array<std::uint8_t, 10> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw std::runtime_error("the system provides no random bytes");
    return bytes;
}

} // namespace

std::string new_id(std::string_view prefix)
{
    std::string id(prefix);
    id += '_';
    const auto milliseconds = static_cast<std::uint64_t>(now() / 1000);
    for (int shift = 45; shift >= 0; shift -= 5) // 10 digits hold 50 bits
        id += alphabet[(milliseconds >> shift) & 31u];
    const auto bytes = random_bytes();
    std::uint32_t bits = 0;
    int bit_count = 0;
    for (const std::uint8_t byte : bytes) { // 80 bits, 16 digits
        bits = (bits << 8) | byte;
        for (bit_count += 8; bit_count >= 5; bit_count -= 5)
            id += alphabet[(bits >> (bit_count - 5)) & 31u];
    }
    return id;
}

} // namespace vitrine::server
