#pragma once
// Text messages from the server in a live preview (websocket.md). Pure functions; each returns one line of
// JSON.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/hit.hpp"
#include "loaders/scene/motion/clip_keys.hpp"

namespace vitrine::api {

inline constexpr std::string_view preview_protocol = "vitrine.preview.v1"; // WebSocket subprotocol

struct PreviewClip {
    std::string name;
    double duration = 0.0;   // seconds
    double frame_rate = 0.0; // 0: the file declares none
};
// What plays, below layers: a clip of the asset by its index, or by its text in `view` a range of frames
// ("frames:A-B"), a clip of another asset ("ASSET:NAME") or row_motion. Neither: the static pose.
struct PreviewMotion {
    std::uint32_t clip = scene::none;
    std::string text{};

    bool operator==(const PreviewMotion&) const = default;
};
// The text of the PreviewMotion of several models side by side: each plays what the query of the row names.
inline constexpr std::string_view row_motion = "row";

struct PreviewInfo { // values of the hello message
    std::string asset;
    std::optional<std::string> row{}; // the query of the first row; empty: a preview of one asset
    std::string device;
    bool software = false;
    std::vector<PreviewClip> clips;
    std::vector<std::string> variants{}; // names of the material variants
    std::uint32_t levels = 1;            // of detail
    std::uint32_t frames = 0;            // scene::count_file_frames()
    scene::Aabb bounds;
    float yaw = 0.0f, pitch = 0.0f; // of the initial view, degrees
    float front_yaw = 0.0f;         // from which the model's front is seen, degrees
};

// `max_side`: width and height of images, pixels; `unacknowledged`: frames that may be in flight.
std::string hello_text(const PreviewInfo& info, std::uint32_t max_side, std::size_t unacknowledged);
std::string problem_text(std::string_view code, std::string_view detail);
std::string picked_text(std::uint32_t id, const scene::Scene& scene, const std::optional<scene::Hit>& hit);
// Of a row: `hit` as GET /v1/pick answers, `places` as GET /v1/lineup does; `duration` in seconds.
std::string picked_in_row_text(std::uint32_t id, boost::json::object hit);
std::string row_text(std::string_view query, double duration, boost::json::object places);
std::string state_text(const PreviewMotion& motion, double time, bool playing);
// The response to a `step`.
std::string stepped_text(const PreviewMotion& motion, double time,
                         const std::optional<scene::KeyPlace>& place);
// Boxes of the model and of what the camera is fitted to.
std::string framing_text(const PreviewMotion& motion, const scene::Aabb& bounds, const scene::Aabb& fit);

struct PreviewStats {
    double frames_per_second = 0.0;
    double bytes_per_second = 0.0;
    double render_ms = 0.0;  // mean
    double encode_ms = 0.0;  // mean
    double latency_ms = 0.0; // mean
    double scale = 1.0;      // of the last frame's sides
};
std::string stats_text(const PreviewStats& stats);

} // namespace vitrine::api
