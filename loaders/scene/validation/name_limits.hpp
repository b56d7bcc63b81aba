#pragma once
// Limits the length of names. A file stores a name once, but results repeat it: each texture its image's,
// each channel its node's, each copy of a joint the joint's. Names of a megabyte in a small file could
// exhaust memory.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "loaders/base/error.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

inline constexpr std::size_t max_name_bytes = 1024;    // of names of files, objects, places and generators
inline constexpr std::size_t max_message_bytes = 4096; // of a warning

struct TruncatedNames {
    std::uint64_t count = 0;
    std::string first; // place of the first truncated name, e.g. "/nodes/2"
};
// Truncates texts that are too long; the result counts names only. Call it after a loader, before using the
// scene.
TruncatedNames truncate_names(Scene& scene);

// Checks that truncate_names() would change nothing. Error: malformed.
LoadResult<void> check_names(const Scene& scene);

} // namespace vitrine::scene
