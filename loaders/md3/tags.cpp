#include "loaders/md3/tags.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vitrine::md3 {
namespace {

constexpr float min_length = 1e-6f;
constexpr float one_degree = 0.0175f; // the cosine of 89 degrees

glm::vec3 unit_or_zero(const glm::vec3& v)
{
    const float length = glm::length(v);
    return length > min_length ? v / length : glm::vec3(0.0f);
}

// Returns the normalized part of v perpendicular to the unit vector n; an arbitrary perpendicular direction
// when it is zero.
glm::vec3 perpendicular(const glm::vec3& v, const glm::vec3& n)
{
    const glm::vec3 rest = v - n * glm::dot(v, n);
    if (glm::length(rest) > 1e-3f) return glm::normalize(rest);
    const glm::vec3 other = std::abs(n.x) < 0.7f ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0);
    return glm::normalize(other - n * glm::dot(other, n));
}

} // namespace

TagPlacement place(const Tag& tag)
{
    const glm::vec3 forward = unit_or_zero(tag.axes[0]), left = unit_or_zero(tag.axes[1]),
                    up = unit_or_zero(tag.axes[2]);
    const float shear = std::max(
        {std::abs(glm::dot(forward, left)), std::abs(glm::dot(left, up)), std::abs(glm::dot(up, forward))});
    const glm::vec3 x = forward == glm::vec3(0.0f) ? perpendicular(glm::vec3(1, 0, 0), up) : forward;
    // When left is missing or parallel to forward, up and forward define the direction.
    const bool has_left = glm::length(left - x * glm::dot(left, x)) > 1e-3f;
    const glm::vec3 y = perpendicular(has_left ? left : glm::cross(up, x), x);
    const glm::vec3 z = glm::cross(x, y);
    TagPlacement out;
    out.sheared = shear > one_degree;
    out.trs.translation = tag.origin;
    out.trs.rotation = glm::normalize(glm::quat_cast(glm::mat3(x, y, z)));
    if (glm::dot(z, up) < 0.0f) out.trs.scale.z = -1.0f;
    return out;
}

std::vector<scene::Channel> tag_channels(const Md3File& file, std::uint32_t tag, std::uint32_t node,
                                         const std::vector<std::uint32_t>& frames,
                                         const std::vector<float>& times)
{
    scene::Channel translation{.node = node, .path = scene::Path::translation, .times = times, .values = {}};
    scene::Channel rotation{.node = node, .path = scene::Path::rotation, .times = times, .values = {}};
    scene::Channel scale{.node = node,
                         .path = scene::Path::scale,
                         .interpolation = scene::Interpolation::step,
                         .times = times,
                         .values = {}};
    const float rest = place(file.tag(0, tag)).trs.scale.z;
    bool turns = false;
    for (const std::uint32_t frame : frames) {
        const scene::Trs trs = place(file.tag(std::min(frame, file.frame_count - 1), tag)).trs;
        const auto add = [](scene::Channel& channel, std::initializer_list<float> values) {
            channel.values.insert(channel.values.end(), values);
        };
        add(translation, {trs.translation.x, trs.translation.y, trs.translation.z});
        add(rotation, {trs.rotation.x, trs.rotation.y, trs.rotation.z, trs.rotation.w});
        add(scale, {trs.scale.x, trs.scale.y, trs.scale.z});
        turns |= trs.scale.z != rest;
    }
    std::vector<scene::Channel> channels{std::move(translation), std::move(rotation)};
    if (turns) channels.push_back(std::move(scale));
    return channels;
}

} // namespace vitrine::md3
