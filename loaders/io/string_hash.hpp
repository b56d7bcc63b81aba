#pragma once
// Hashes with a random key, so that files cannot cause collisions deliberately. The standard library's hash
// has a fixed seed; a file with colliding names would make every look-up linear. The key differs between
// processes, so a loader's output must not depend on the order of such a map.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vitrine::io {

// A random value per process, obtained without a system call. Initial value for hashes of numbers.
std::uint64_t hash_seed();

// SipHash-1-3 (Aumasson, Bernstein 2012) of `text` with a 128-bit key.
std::uint64_t sip_hash(std::string_view text, std::uint64_t key0, std::uint64_t key1);

// Hash for std::string and std::string_view keys of unordered containers. Not noexcept, so that libstdc++
// caches each key's hash.
struct StringHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const;
};

} // namespace vitrine::io
