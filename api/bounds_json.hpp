#pragma once
// Responses with bounding boxes. Meters, scene space; null for an empty box. Floats are not rounded; a box
// relative to an origin is added in doubles.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/geometry/rendering_origin.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::api {

// Returns {min, max}.
boost::json::value bounds_json(const scene::Aabb& box);
boost::json::value bounds_json(const scene::OffsetBox& offset);

struct BoxPair {
    scene::OffsetBox exact;
    scene::OffsetBox conservative; // contains `exact`
};
struct FrameBox {
    double time = 0.0; // seconds
    scene::OffsetBox exact;
};
struct DeclaredFrameBox { // that the file declares for a frame
    double time = 0.0;
    scene::Aabb box;
};
struct JointBox {
    std::uint32_t node = 0;
    scene::OffsetBox conservative;
};
struct InstanceBox { // of one instance of a mesh
    std::uint32_t node = 0;
    std::uint32_t mesh = 0;
    scene::OffsetBox exact;
};

// The response of GET .../bounds with `per`, and of GET .../clips/{clip}/bounds. Groups that the request does
// not select are empty.
struct BoundsReport {
    std::uint32_t clip = scene::none; // none: the static pose
    double from = 0.0, to = 0.0;      // seconds of the clip
    scene::OffsetBox static_pose;     // of the static pose
    std::optional<BoxPair> total{};
    std::optional<std::vector<FrameBox>> frames{};
    std::optional<std::vector<DeclaredFrameBox>> declared{};
    std::optional<std::vector<JointBox>> joints{};
    std::optional<std::vector<InstanceBox>> instances{};
};
boost::json::object to_json(const scene::Scene& scene, const BoundsReport& report);

struct ClipBoxes {
    std::uint32_t clip = 0; // index
    scene::Aabb exact;
    scene::Aabb conservative; // contains `exact`
};
// Returns {"static": ..., "clips": [{"clip", "exact", "conservative"}]}, the response of GET .../bounds.
std::string bounds_text(const scene::OffsetBox& static_pose, std::span<const ClipBoxes> clips);
// Returns bounds_text() with other clips from index `first` on. Precondition: `known` is such a text.
std::string replace_clip_bounds(std::string_view known, std::size_t first, std::span<const ClipBoxes> clips);

} // namespace vitrine::api
