#pragma once
// One viewer's live preview as a state machine without sockets, threads or clocks: takes messages and
// finished work with the current time; returns what to render and what to send. One strand.
//
//   session.receive(text, now); ... while (auto task = session.next_render(now)) draw it; send take_texts();
//   ask again at next_wake(now), or after any of the calls below.
//
// A frame in flight (being rendered, encoded, sent, or not yet acknowledged) holds one of two credits. A view
// that arrives meanwhile replaces the previous one; it is rendered when a credit is free. Nothing is rendered
// when nothing has changed.
//
// Moving views are sent as video if the viewer has a decoder for it; a view at rest is sent as one still of
// full quality. A still is independent of other frames, so a viewer at rest needs no decoder and no encoder
// is kept for it.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>

#include "api/preview_messages.hpp"
#include "loaders/scene/layers/layer_text.hpp"
#include "server/preview/client_messages.hpp"
#include "server/preview/lod_selector.hpp"
#include "server/preview/playback_clock.hpp"
#include "server/preview/pose_fade.hpp"
#include "server/preview/preview_stats.hpp"
#include "server/preview/resolution_scaler.hpp"
#include "vk_renderer/base/view.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::server {

struct PreviewLimits {
    std::uint32_t max_side = 2048; // pixels; larger views are scaled down
    std::size_t max_unacknowledged = 2;
    double max_messages_per_second = 500.0; // above, the session is closed with 1008
    std::chrono::milliseconds still_after{
        150}; // time without a view after which a `moving` viewer counts as at rest
};

struct DrawnFrame {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    scene::Aabb bounds;
    render::Framing framing{};
    std::uint32_t render_us = 0;
    std::uint32_t encode_us = 0;
    bool key_frame = true;
    std::size_t payload_bytes = 0;
};

struct RenderTask {
    std::uint64_t id = 0;
    PreviewTime started{};
    render::View view;
    api::PreviewMotion motion; // that is posed, below layers
    render::ClipTime clip_time;
    std::uint32_t input = 0;
    FrameCodec codec = FrameCodec::jpeg;
    bool key_frame = false; // of a video: decoding can start here
    int quality = 85;       // JPEG quality
    bool moving = false;    // the view moves or the clip plays
    bool lod = false;       // use the LOD scene, because all triangles take too long
    bool shared = false;    // other viewers draw the same
    bool full_quality = false;
    bool is_fading = false; // view.framing is between those of two motions
    // A motion whose framing is needed for the following frames; the time is not used.
    std::optional<render::ClipTime> measured{};
};

// How viewers of one view draw, so that their frames are equal.
struct SharedPace {
    double time_step; // seconds between the pose times of a playing clip
    double scale;     // of the sides of a moving frame
    bool lod;         // moving frames use the LOD scene
};

// A pixel of a frame that the viewer has displayed.
struct PickTask {
    std::uint32_t id = 0; // chosen by the viewer
    render::View view;
    render::ClipTime clip_time;
    std::uint32_t x = 0, y = 0;
};

// Seconds that count for the resolution of the following frames: of drawing and encoding, and for a moving
// frame those from its start to `now`, when it is encoded.
double frame_seconds(const RenderTask& task, const DrawnFrame& drawn, PreviewTime now);

// Makes the layers of the texts over what plays of the scene. The error is a sentence.
struct MadeLayers {
    scene::SharedLayers layers;
    double duration_s = 0.0; // scene::duration_of()
};
using MakeLayers = std::function<std::expected<MadeLayers, std::string>(const api::PreviewMotion& base,
                                                                        const scene::AnimationTexts& texts)>;

class PreviewSession {
public:
    PreviewSession(api::PreviewInfo info, const PreviewLimits& limits, PreviewTime now);
    // Without it, layers are rejected, and a row stands still.
    void set_make_layers(MakeLayers make_layers);
    void set_hold_pose(HoldPose hold_pose) { hold_pose_ = std::move(hold_pose); } // likewise fades
    void set_step_time(StepTime step_time) { step_time_ = std::move(step_time); } // likewise steps
    // Handles a text message. Returns false when the session must be closed with 1008.
    bool receive(std::string_view text, PreviewTime now);

    // While other viewers have the same view. Then frames are images, not video.
    void share(std::optional<SharedPace> pace) { shared_ = pace; }
    // What the viewer sees, without the time; changes with revision().
    const render::View& view() const { return view_; }
    std::uint32_t clip() const { return made_base_.clip; } // none: the static pose or layers()
    const SceneChoice& scene_choice() const { return shown_choice_; }
    const scene::SharedLayers& layers() const { return layers_.layers; } // null: none
    std::uint64_t revision() const { return revision_; }
    bool moving(PreviewTime now) const; // whether the viewer moves the view now

    // Returns the frame to render now, if any; it holds a credit until one of the three calls below ends it.
    std::optional<RenderTask> next_render(PreviewTime now);
    // The frame is rendered: the next one may be rendered while this one is encoded.
    void rendered(const RenderTask& task);
    // The framing of task.measured, before rendered().
    void measured(const RenderTask& task, const render::Framing& framing);
    // The frame is encoded and queued for the socket; returns its header.
    std::vector<std::byte> encoded(const RenderTask& task, const DrawnFrame& drawn, PreviewTime now);
    // Whether moving frames are drawn with a level of detail.
    bool uses_lod() const { return lod_selector_.use_lod(); }
    // Returns the framing of the frame's image if it has changed; must be sent before the frame.
    std::optional<std::string> take_framing() { return framing_.take_text(); }
    // The oldest queued frame is being sent: the viewer may display it from now on.
    void sending() { ++sending_sequence_; }
    // Rendering or encoding has failed; with `retry` it is repeated after that time without a message.
    void failed(const RenderTask& task, std::string_view why, std::optional<PreviewTime> retry);

    // Returns the scene to load, if the viewer has selected another one; nothing is rendered until one of the
    // two calls below. Layers are made again for it; if they cannot be, or the clip of another asset is not
    // in it, the former motion is kept.
    std::optional<SceneChoice> next_scene();
    void scene_loaded(PreviewTime now);
    // Reports the row that is shown: seconds of its motion, and its places as GET /v1/lineup answers.
    void row_shown(double duration, boost::json::object places);
    void scene_failed(std::string_view why, PreviewTime now); // the previous scene stays

    // Returns the pick to perform, if any; one at a time, until one of the two calls below.
    std::optional<PickTask> next_pick();
    void picked(const PickTask& task, const scene::Scene& scene, const std::optional<scene::Hit>& hit);
    void picked_in_row(const PickTask& task, boost::json::object hit); // as GET /v1/pick answers
    void pick_failed(std::string_view why);

    // Returns whether a video frame may continue the previous ones, so that the encoder must be kept.
    bool keeps_encoder() const { return last_video_.has_value(); }

    std::vector<std::string> take_texts();
    // Returns when to call next_render() again without an event; empty: only after the next event.
    std::optional<PreviewTime> next_wake(PreviewTime now);

    // Frames that hold a credit.
    std::size_t frames_in_flight() const { return (drawing_ ? 1 : 0) + encoding_ + unacknowledged_.size(); }

private:
    struct Sent { // an unacknowledged frame
        PreviewTime at;
        render::View view;
        render::ClipTime clip_time;
    };

    void apply(const ViewChange& change, PreviewTime now);
    // Each returns whether the change affects the image.
    bool apply_camera(const ViewChange& change);
    bool apply_playback(const ViewChange& change, PreviewTime now);
    bool apply_size(const ViewChange& change);
    bool apply_layers(const ViewChange& change, bool is_other_clip);
    void apply_scene_choice(const ViewChange& change);
    bool waits_for_scene() const { return loading_scene_ || choice_ != shown_choice_; }
    void choose_clips(const api::PreviewMotion& base, const std::vector<std::string>& layers);
    std::expected<MadeLayers, std::string> made_of(const scene::AnimationTexts& texts) const;
    void make_layers_again(bool scene_has_failed, PreviewTime now);
    void show_made(MadeLayers made);
    void return_to_made_base(PreviewTime now);
    double duration() const; // seconds
    void publish_framing(const RenderTask& task, const render::Framing& framing);
    void start_fade(const ViewChange& change, PreviewTime now);
    bool is_other_motion(const ViewChange& change) const;
    void begin_fade(PreviewTime now);
    bool is_fading(PreviewTime now) const;
    scene::SharedLayers faded_layers(double time, PreviewTime now) const;
    std::optional<scene::Aabb> kept_framing() const;
    void frame_fade(RenderTask& task, PreviewTime now) const;
    void pose_task(RenderTask& task, PreviewTime now) const;
    void acknowledge(std::uint32_t sequence, PreviewTime now);
    void want_pick(const PickRequest& request);
    std::optional<scene::PoseLayer> stepped_layer() const;
    void step(const StepRequest& request, PreviewTime now);
    bool consume_message_token(PreviewTime now);
    void queue_text(std::string text);

    bool wants_frame(PreviewTime now) const;
    bool can_render() const;
    bool may_start(PreviewTime now) const;
    const PlaybackClock& shown_clock() const { return made_clock_ ? *made_clock_ : clock_; }
    double pose_time(PreviewTime now) const; // of the frame to draw
    void end_playback(PreviewTime now);
    void adapt_lod(const RenderTask& task, const DrawnFrame& drawn);
    PreviewTime earliest_start() const;
    FrameCodec choose_codec(bool at_rest) const;
    RenderTask make_task(PreviewTime now);

    api::PreviewInfo info_;
    PreviewLimits limits_;
    render::View view_; // size of the full image
    PlaybackClock clock_;
    std::optional<SharedPace> shared_;
    double css_width_ = 512.0, css_height_ = 512.0, pixel_ratio_ = 1.0;
    double max_fps_ = 60.0;
    int quality_ = 85;
    std::uint32_t input_ = 0;
    // Wanted: what plays, and the layers over it.
    api::PreviewMotion base_;
    scene::AnimationTexts texts_of_layers_;
    // Shown, while the scene of what is wanted is loaded.
    api::PreviewMotion made_base_;
    scene::AnimationTexts made_texts_;
    std::optional<PlaybackClock> made_clock_; // if made_base_ is another one than base_
    MadeLayers layers_;
    MakeLayers make_layers_;
    StepTime step_time_;
    HoldPose hold_pose_;
    std::optional<PoseFade> fade_;
    bool drawn_faded_ = false;    // the last task
    SceneChoice choice_;          // selected by the viewer
    SceneChoice shown_choice_;    // shown, or being loaded
    SceneChoice previous_choice_; // shown before that
    bool loading_scene_ = false;
    PreviewTime last_view_{};
    bool moving_ = false;

    bool drawn_full_ = false; // of the last task
    FrameCodec moving_codec_ = FrameCodec::jpeg;
    bool needs_key_frame_ = false; // the next video frame must be a key frame
    std::uint32_t next_sequence_ = 1;
    std::uint32_t sending_sequence_ = 0; // newest frame that was sent
    std::uint64_t revision_ = 0;         // of the displayed state without its time; 0: no view received
    std::uint64_t drawn_revision_ = 0;   // of the last task
    double drawn_time_ = -1.0;
    std::uint64_t next_task_ = 1;
    std::optional<std::uint64_t> drawing_; // id of the running task
    std::size_t encoding_ = 0;
    std::map<std::uint32_t, Sent> unacknowledged_; // by sequence number
    std::optional<Sent> displayed_;                // newest acknowledged frame
    std::uint32_t displayed_sequence_ = 0;
    bool picking_ = false;
    std::optional<PickTask> pick_; // waiting
    std::optional<PreviewTime> last_start_;
    std::optional<PreviewTime> next_frame_due_; // due time of the last frame, or slightly before its start
    std::optional<PreviewTime> retry_at_;
    std::optional<PreviewTime> last_video_; // start of the last video frame

    LodSelector lod_selector_;
    ResolutionScaler resolution_scaler_;
    double scale_ = 1.0; // of the last task's sides
    double tokens_;
    PreviewTime tokens_at_;
    std::vector<std::string> texts_;
    StatsInterval stats_;
    FramingPublisher framing_;
};

} // namespace vitrine::server
