#include "loaders/quake/equal_vertices.hpp"

#include <algorithm>
#include <bit>

namespace vitrine::quake {

// Two bits per hash value, set on first and repeated occurrence: keys without the second bit need not be
// sorted. With eight times as many bits as keys, collisions are rare; they only cause more sorting.
std::vector<KeyedVertex> find_equal_keys(std::span<const std::uint64_t> keys)
{
    const int bits = static_cast<int>(std::bit_width(keys.size())) + 3;
    const auto slot_of = [&](std::uint64_t key) { return (key * 0x9E37'79B9'7F4A'7C15u) >> (64 - bits); };
    std::vector<bool> once(std::size_t{1} << bits), again(once.size());
    for (const std::uint64_t key : keys) {
        const std::size_t slot = slot_of(key);
        if (once[slot]) again[slot] = true;
        once[slot] = true;
    }
    std::vector<KeyedVertex> found;
    for (std::uint32_t v = 0; v < keys.size(); ++v)
        if (again[slot_of(keys[v])]) found.push_back({keys[v], v});
    std::ranges::sort(found);
    return found;
}

} // namespace vitrine::quake
