#pragma once
// A fast 64-bit checksum that detects corruption, not forgery. Four lanes let the multiplications of
// successive words overlap; each step is a bijection of the lane, so every single-word change is detected.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace vitrine {

inline std::uint64_t checksum(std::span<const std::byte> bytes)
{
    constexpr std::uint64_t prime = 0x9E3779B97F4A7C15; // 2^64 / golden ratio, odd
    std::array<std::uint64_t, 4> lanes{1, 2, 3, 4};
    const auto mix = [](std::uint64_t lane, std::uint64_t word) {
        return std::rotl(lane ^ word, 29) * prime;
    };
    const auto word_at = [&](std::size_t at, std::size_t size) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, size);
        return word;
    };
    std::size_t at = 0;
    for (; bytes.size() - at >= 32; at += 32) {
        for (std::size_t l = 0; l < 4; ++l)
            lanes[l] = mix(lanes[l], word_at(at + 8 * l, 8));
    }
    for (; bytes.size() - at >= 8; at += 8)
        lanes[at / 8 % 4] = mix(lanes[at / 8 % 4], word_at(at, 8));
    if (at < bytes.size()) lanes[3] = mix(lanes[3], word_at(at, bytes.size() - at));
    std::uint64_t hash = bytes.size();
    for (const std::uint64_t lane : lanes)
        hash = mix(hash, lane ^ lane >> 31);
    return hash ^ hash >> 32;
}

} // namespace vitrine
