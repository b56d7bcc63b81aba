#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <glm/gtc/quaternion.hpp>

#include "loaders/bvh/document.hpp"

namespace vitrine::bvh {
namespace {

using Path = scene::Path;

class ClipBuilder {
public:
    ClipBuilder(const Document& document, io::WarningLog& warnings) : document_(document), warnings_(warnings)
    {
    }

    scene::Clip run(std::string name);

private:
    std::span<const ChannelKind> channels_of(const Joint& joint) const
    {
        return std::span(document_.channels).subspan(joint.first_channel, joint.channel_count);
    }
    double value(std::uint32_t frame, const Joint& joint, std::size_t channel) const
    {
        const std::size_t row = std::size_t{frame} * document_.channels.size();
        return double{document_.values[row + joint.first_channel + channel]};
    }
    glm::dquat rotation(const Joint& joint, std::uint32_t frame) const;
    bool replaces_offset(const Joint& joint) const;
    void add_rotations(std::uint32_t node, scene::Clip& clip) const;
    void add_translations(std::uint32_t node, scene::Clip& clip);
    void add_channel(std::uint32_t node, Path path, std::vector<float> values, std::span<const float> rest,
                     scene::Clip& clip) const;

    const Document& document_;
    io::WarningLog& warnings_;
};

glm::dquat ClipBuilder::rotation(const Joint& joint, std::uint32_t frame) const
{
    glm::dquat all(1.0, 0.0, 0.0, 0.0);
    const auto channels = channels_of(joint);
    for (std::size_t c = 0; c < channels.size(); ++c) {
        if (!is_rotation(channels[c])) continue;
        glm::dvec3 axis(0.0);
        axis[axis_of(channels[c])] = 1.0;
        const double degrees = std::fmod(value(frame, joint, c), 720.0);
        all = all * glm::angleAxis(glm::radians(degrees), axis);
    }
    return glm::normalize(all);
}

// The mean position is compared with the offset: of a root by its height alone, since a figure may walk
// anywhere.
bool ClipBuilder::replaces_offset(const Joint& joint) const
{
    const auto channels = channels_of(joint);
    const bool by_height = joint.parent == scene::none && joint.offset.y != 0.0 &&
                           std::ranges::find(channels, ChannelKind::y_position) != channels.end();
    double to_offset = 0.0, to_zero = 0.0; // squared
    for (std::size_t c = 0; c < channels.size(); ++c) {
        if (!is_position(channels[c]) || (by_height && channels[c] != ChannelKind::y_position)) continue;
        double mean = 0.0;
        for (std::uint32_t f = 0; f < document_.frames; ++f)
            mean += value(f, joint, c) / document_.frames;
        const double offset = joint.offset[axis_of(channels[c])];
        to_offset += (mean - offset) * (mean - offset);
        to_zero += mean * mean;
    }
    return to_offset <= to_zero;
}

void ClipBuilder::add_rotations(std::uint32_t node, scene::Clip& clip) const
{
    const Joint& joint = document_.joints[node];
    if (std::ranges::none_of(channels_of(joint), is_rotation)) return;
    std::vector<float> values;
    values.reserve(std::size_t{document_.frames} * 4);
    glm::dquat before(1.0, 0.0, 0.0, 0.0);
    for (std::uint32_t f = 0; f < document_.frames; ++f) {
        glm::dquat q = rotation(joint, f);
        if (glm::dot(q, before) < 0.0) q = -q; // the same rotation, in the hemisphere of the key before it
        before = q;
        for (const double part : {q.x, q.y, q.z, q.w})
            values.push_back(static_cast<float>(part));
    }
    constexpr std::array rest{0.0f, 0.0f, 0.0f, 1.0f};
    add_channel(node, Path::rotation, std::move(values), rest, clip);
}

void ClipBuilder::add_translations(std::uint32_t node, scene::Clip& clip)
{
    const Joint& joint = document_.joints[node];
    const auto channels = channels_of(joint);
    if (std::ranges::none_of(channels, is_position)) return;
    const bool replaces = replaces_offset(joint);
    if (!replaces && warnings_.accepts("bvh_relative_positions"))
        warnings_.store(
            "bvh_relative_positions",
            "the position channels are closer to zero than to the joint's OFFSET; they are added to it",
            fmt::format("joint {}", joint.name));
    std::vector<float> values;
    values.reserve(std::size_t{document_.frames} * 3);
    for (std::uint32_t f = 0; f < document_.frames; ++f) {
        glm::dvec3 at = joint.offset;
        for (std::size_t c = 0; c < channels.size(); ++c) {
            if (!is_position(channels[c])) continue;
            const auto axis = axis_of(channels[c]);
            at[axis] = value(f, joint, c) + (replaces ? 0.0 : joint.offset[axis]);
        }
        for (glm::length_t axis = 0; axis < 3; ++axis)
            values.push_back(static_cast<float>(at[axis]));
    }
    const glm::vec3 rest(joint.offset);
    add_channel(node, Path::translation, std::move(values), std::array{rest.x, rest.y, rest.z}, clip);
}

void ClipBuilder::add_channel(std::uint32_t node, Path path, std::vector<float> values,
                              std::span<const float> rest, scene::Clip& clip) const
{
    const std::size_t width = rest.size();
    const bool constant =
        std::equal(values.begin() + static_cast<std::ptrdiff_t>(width), values.end(), values.begin());
    if (constant) values.resize(width);
    if (constant && std::ranges::equal(values, rest)) return;
    std::vector<float> times;
    times.reserve(values.size() / width);
    for (std::size_t i = 0; i < values.size() / width; ++i)
        times.push_back(static_cast<float>(static_cast<double>(i) * document_.frame_time));
    clip.channels.push_back(
        {.node = node, .path = path, .times = std::move(times), .values = std::move(values)});
}

scene::Clip ClipBuilder::run(std::string name)
{
    scene::Clip clip{.name = std::move(name),
                     .duration = (document_.frames - 1) * document_.frame_time,
                     .frame_rate = 1.0 / document_.frame_time,
                     .frames = document_.frames,
                     .channels = {}};
    for (std::uint32_t node = 0; node < document_.joints.size(); ++node) {
        add_translations(node, clip);
        add_rotations(node, clip);
    }
    return clip;
}

} // namespace

scene::Clip make_clip(const Document& document, std::string name, io::WarningLog& warnings)
{
    return ClipBuilder(document, warnings).run(std::move(name));
}

} // namespace vitrine::bvh
