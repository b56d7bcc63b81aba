#pragma once
// Samples of vertex positions over time, as the three kinds of cache files hold them: Maya's .mc and .mcx
// (IFF with chunks of 32 or 64 bits, big-endian; all samples in one file or a file each) and 3ds Max' .pc2.
// Pure.

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
    Bytes numbers; // three a point
    bool is_double = false;
    bool big_endian = false;

    std::size_t points() const { return numbers.size() / (is_double ? 24 : 12); }
    std::vector<glm::vec3> read() const; // what is not finite becomes 0
};

bool is_pc2(Bytes file);

// In the order of the file. Errors: malformed, truncated, with "byte N".
LoadResult<std::vector<CacheSample>> read_maya_cache(Bytes file);
LoadResult<std::vector<CacheSample>> read_pc2(Bytes file, double frame_rate);

} // namespace vitrine::fbx
