#pragma once
// Reads samples of vertex positions over time from the three kinds of cache files: Maya's .mc and .mcx (IFF
// with chunks of 32 or 64 bits, big-endian; all samples in one file or one file per sample) and 3ds Max's
// .pc2. Pure functions.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/io/input.hpp"

namespace vitrine::fbx {

struct CacheSample {
    std::string_view channel; // empty in .pc2
    double seconds = 0.0;
    Bytes numbers; // three per point
    bool is_double = false;
    bool big_endian = false;

    std::size_t points() const { return numbers.size() / (is_double ? 24 : 12); }
    std::vector<glm::vec3> read() const; // values that are not finite become 0
};

bool is_pc2(Bytes file);

// Returns the samples in file order. Errors: malformed, truncated, with "byte N".
LoadResult<std::vector<CacheSample>> read_maya_cache(Bytes file);
LoadResult<std::vector<CacheSample>> read_pc2(Bytes file, double frame_rate);

} // namespace vitrine::fbx
