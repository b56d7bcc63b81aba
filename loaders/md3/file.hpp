#pragma once
// The parsed file: every offset, count and index is validated, nothing is converted.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::md3 {

struct Md3FrameVertex {
    std::array<std::int16_t, 3> position{}; // in 64ths of a unit
    std::uint8_t longitude = 0;             // from the Z axis, in 256ths of a turn
    std::uint8_t latitude = 0;              // about the Z axis, from X
};

struct Md3Surface {
    std::string_view name;
    std::vector<std::string_view> shaders; // no empty names
    std::uint32_t vertex_count = 0;
    std::uint32_t frame_count = 0;                       // at least 1
    std::vector<std::array<std::uint32_t, 3>> triangles; // clockwise
    std::vector<glm::vec2> coords;                       // one per vertex, origin at the top left
    std::vector<Md3FrameVertex> vertices;                // frame after frame
};

// An attachment point of the model, as stored.
struct Tag {
    std::string_view name;
    glm::vec3 origin{0.0f};
    glm::mat3 axes{1.0f}; // columns: forward, left, up; rarely exactly unit length
};
static_assert(sizeof(Md3FrameVertex) == 8);

// Views point into the parsed bytes.
struct Md3File {
    std::uint32_t frame_count = 0; // at least 1
    std::uint32_t tag_count = 0;
    std::vector<Tag> tags; // frame after frame, tag_count each
    std::vector<Md3Surface> surfaces;

    const Tag& tag(std::uint32_t frame, std::uint32_t index) const
    {
        return tags[std::size_t{frame} * tag_count + index];
    }
};

LoadResult<Md3File> parse_file(Bytes bytes, const Limits& limits, io::WarningLog& warnings);

} // namespace vitrine::md3
