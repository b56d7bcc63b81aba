#pragma once
// The content of a BVH file as plain data: made by parse(), read by make_clip().

#include <cstdint>
#include <string>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/scene/index.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::bvh {

// A column of the motion. `ignored`: a word other than the six of the format.
enum class ChannelKind : std::uint8_t {
    x_position,
    y_position,
    z_position,
    x_rotation,
    y_rotation,
    z_rotation,
    ignored
};

constexpr bool is_position(ChannelKind kind)
{
    return kind <= ChannelKind::z_position;
}
constexpr bool is_rotation(ChannelKind kind)
{
    return kind >= ChannelKind::x_rotation && kind <= ChannelKind::z_rotation;
}
// 0, 1, 2 for x, y, z. Precondition: not `ignored`.
constexpr glm::length_t axis_of(ChannelKind kind)
{
    return static_cast<glm::length_t>(kind) % 3;
}

struct Joint {
    std::string name;                   // UTF-8; of an End Site, that of its parent with "_end"
    std::uint32_t parent = scene::none; // precedes it
    glm::dvec3 offset{0.0};             // from the parent, in the file's unit
    std::uint32_t first_channel = 0;    // index into Document::channels
    std::uint32_t channel_count = 0;
    bool is_end_site = false;
};

struct Document {
    std::vector<Joint> joints;         // depth first, as in the file
    std::vector<ChannelKind> channels; // of all joints: the columns of a frame
    std::uint32_t frames = 0;
    double frame_time = 1.0 / 30.0; // seconds
    std::vector<float> values;      // frames * channels; units of length, and degrees
};

// Errors: malformed, empty, limit_exceeded, each with "line N".
LoadResult<Document> parse(std::string_view text, const Limits& limits, io::WarningLog& warnings);

// Converts the motion to a clip, in the file's unit (clip_builder.cpp).
//
// Rotations are those of the channels in the order of the file, each about the axis that the ones before it
// have rotated: q = q1 * q2 * q3. Position channels replace the offset, or are added to it where they are
// closer to zero than to the offset (a warning). Tracks that never change have one key, or none if that is
// the static pose. Node j is joint j. Precondition: at least one frame.
scene::Clip make_clip(const Document& document, std::string name, io::WarningLog& warnings);

} // namespace vitrine::bvh
