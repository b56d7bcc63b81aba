#include "server/services/rendering/device_affinity.hpp"

#include <algorithm>
#include <cstdint>

namespace vitrine::server {
namespace {

// FNV-1a, then the finalizer of SplitMix64, which distributes adjacent device numbers.
std::uint64_t score(std::string_view content_hash, std::size_t index)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : content_hash)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    hash += (index + 1) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
    return hash ^ (hash >> 31);
}

} // namespace

std::size_t select_device(std::string_view content_hash, std::span<const std::size_t> open)
{
    return *std::ranges::max_element(open, {}, [&](std::size_t index) { return score(content_hash, index); });
}

} // namespace vitrine::server
