#pragma once
// Hashes whose collisions nobody can prepare. The standard library's have a fixed seed: a file of names that
// it sends to one place would make every look-up walk through all of them. Theirs differ from process to
// process, so nothing that a loader says may depend on the order of such a map.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vitrine::io {

// Drawn once a process, without a system call. For hashes of numbers, to begin with.
std::uint64_t hash_seed();

// SipHash-1-3 (Aumasson, Bernstein 2012) of text under a key of 128 bits.
std::uint64_t sip_hash(std::string_view text, std::uint64_t key0, std::uint64_t key1);

// Of std::string and std::string_view as keys of unordered containers. Not noexcept: that has libstdc++ keep
// each key's hash instead of making it again.
struct StringHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const;
};

} // namespace vitrine::io
