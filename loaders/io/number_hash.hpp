#pragma once
// Like string_hash.hpp, for integers chosen by a file (IDs, pairs of indices). The standard library's hash is
// the identity, so multiples of the table size would all collide.

#include <cstddef>
#include <cstdint>

#include "loaders/io/string_hash.hpp"

namespace vitrine::io {

struct NumberHash {
    std::size_t operator()(std::uint64_t number) const noexcept
    {
        std::uint64_t hash = number ^ seed;
        hash = (hash ^ hash >> 32) * 0x9E37'79B9'7F4A'7C15u;
        hash = (hash ^ hash >> 29) * 0xBF58'476D'1CE4'E5B9u;
        return hash ^ hash >> 32;
    }

    std::uint64_t seed = hash_seed();
};

} // namespace vitrine::io
