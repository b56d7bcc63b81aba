#pragma once
// How long names may be. A file says one once, what is made of it many times: each texture says its image's,
// each channel its node's, each copy of a joint the joint's. Names of a megabyte in a small file would fill
// any memory.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "loaders/base/error.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

inline constexpr std::size_t max_name_bytes = 1024;    // bytes, as of files; also of places and generators
inline constexpr std::size_t max_message_bytes = 4096; // of a warning

// The beginning of at most so many bytes, which ends between two characters. Precondition: UTF-8.
std::string_view truncate_utf8(std::string_view text, std::size_t bytes);

struct TruncatedNames {
    std::uint64_t count = 0;
    std::string first; // the place of the first, "/nodes/2"
};
// Shortens what is longer; tells of names alone. After a loader, before anything is made of its scene.
TruncatedNames truncate_names(Scene& scene);

// Whether truncate_names() has nothing to do. Error: malformed.
LoadResult<void> check_names(const Scene& scene);

} // namespace vitrine::scene
