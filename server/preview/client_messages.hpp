#pragma once
// The text messages of the viewer in vitrine.preview.v1 (api/websocket.md). Pure functions.

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <glm/glm.hpp>

#include "api/preview_messages.hpp"
#include "loaders/scene/layers/animation_layers.hpp"
#include "loaders/scene/motion/clip_keys.hpp"
#include "loaders/scene/parts/looks.hpp"
#include "loaders/scene/scene.hpp"
#include "server/preview/frame_header.hpp"
#include "server/preview/playback_clock.hpp"
#include "vk_renderer/base/view.hpp"

namespace vitrine::server {

// What the viewer selects of the scene itself: another selection is another scene to load.
struct SceneChoice {
    std::optional<std::uint32_t> variant{};          // empty: the file's own materials
    std::optional<scene::SkinningMethod> skinning{}; // empty: the file's
    std::vector<std::string> attachments{};          // texts of layers/attach.hpp
    scene::LookTexts look{};
    std::vector<std::string> clips{}; // of other assets, "ASSET:NAME"
    std::string row{};                // the query of a row of models; otherwise empty

    bool operator==(const SceneChoice&) const = default;
};

// The weight of the new motion over the time of a fade.
enum class FadeCurve : std::uint8_t { smooth, linear };

// Members of a `view` message; absent members keep their last value.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): in the order of the protocol
struct ViewChange {
    std::optional<std::uint32_t> input;
    std::optional<float> yaw, pitch; // degrees
    std::optional<bool> orthographic;
    std::optional<std::optional<float>> distance;   // null: fit
    std::optional<std::optional<glm::vec3>> target; // null: center
    std::optional<api::PreviewMotion> clip;
    std::optional<std::optional<std::uint32_t>> variant; // material variant; null: the file's own materials
    std::optional<std::optional<scene::SkinningMethod>> skinning;
    std::optional<std::vector<std::string>> attachments;
    std::optional<std::optional<std::string>> lod, hide, only,
        surface; // texts of parts/looks.hpp; null: none
    std::optional<std::string> row;
    std::optional<double> time; // seeks
    std::optional<bool> playing;
    std::optional<double> speed;
    std::optional<LoopMode> loop;
    std::optional<double> width, height; // CSS pixels
    std::optional<double> device_pixel_ratio;
    std::optional<render::Overlays> overlays;
    std::optional<std::optional<glm::vec4>> background; // null: studio
    std::optional<render::LightingPreset> light;
    std::optional<std::uint32_t> crowd;
    std::optional<render::Ghosts> ghosts; // of null: none
    std::optional<bool> moving;
    // Layers and adjusted joints; each list replaces the former one.
    std::optional<std::vector<std::string>> layers, turns, moves, scales, reaches;
    std::optional<double> fade; // seconds in which a change of the clip is blended
    std::optional<FadeCurve> fade_curve;
};
struct Ack {
    std::uint32_t sequence = 0;
};
struct QualityChange {
    std::optional<int> jpeg_quality;
    std::optional<double> max_frames_per_second;
};
struct DecoderStart {
    FrameCodec codec = FrameCodec::jpeg; // the first codec of the client's list that this server supports
};
struct PickRequest {
    std::uint32_t id = 0;
    double x = 0.0, y = 0.0; // 0..1 from the image's top left
};
struct MessageError {
    std::string code; // "bad_message", "unknown_type", "bad_value", "unknown_member"
    std::string detail;
};

struct StepRequest {
    enum class Unit : std::uint8_t { key, frame };
    Unit unit = Unit::key;
    int steps = 1; // negative: back
};

// The time in a clip that a step leads to, and where it is among its keys.
struct SteppedTime {
    double time = 0.0;
    std::optional<scene::KeyPlace> place{}; // empty: the clip has no keys
};
// `layer`: the clip, of the scene or bound to it; only these members are read.
using StepTime =
    std::function<SteppedTime(const scene::PoseLayer& layer, double time, const StepRequest& request)>;

using ClientMessage = std::variant<ViewChange, Ack, QualityChange, DecoderStart, PickRequest, StepRequest>;
struct ParsedMessage {
    ClientMessage message;
    std::optional<MessageError>
        ignored; // an unknown member, which is reported; the other members are applied
};

// `info`: clips and material variants of the asset, which are addressed as loaders/scene/lookup.hpp defines.
std::expected<ParsedMessage, MessageError> parse_message(std::string_view text, const api::PreviewInfo& info);

} // namespace vitrine::server
