#pragma once
// One viewer's live preview as a state machine without sockets, threads or clocks of its own: messages and
// finished work go in with the time, what to draw and what to say comes out. One strand.
//
//   session.receive(text, now); ... while (auto task = session.next_render(now)) draw it; send take_texts();
//   ask again at next_wake(now), or after any of the calls below.
//
// A frame on its way (being drawn, encoded, sent, not yet acknowledged) holds one of two credits. A view that
// arrives meanwhile replaces the one before; it is drawn when a credit is free. Nothing is drawn when nothing
// changed.
//
// What moves goes as video where the viewer has a decoder for it, what rests as one still of full quality: a
// still stands for itself, so a viewer at rest needs no decoder and no encoder is kept for it.

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/stream/client_messages.hpp"
#include "server/stream/lod_selector.hpp"
#include "server/stream/playback_clock.hpp"
#include "server/stream/resolution_scaler.hpp"
#include "server/stream/server_messages.hpp"
#include "vk_renderer/base/view.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::server {

struct RenderTask {
    std::uint64_t id = 0;
    render::View view;
    render::Moment moment;
    std::uint32_t input = 0;
    FrameCodec codec = FrameCodec::jpeg;
    bool key_frame = false; // of a video: the viewer's decoder begins with it
    int quality = 85;       // of a JPEG
    bool moving = false;    // or playing
    bool lod = false;       // it moves, and all triangles take too long
    bool full_quality = false;
};

// A pixel of a frame that the viewer has seen.
struct PickTask {
    std::uint32_t id = 0; // the viewer's
    render::View view;
    render::Moment moment;
    std::uint32_t x = 0, y = 0;
};

class StreamSession {
public:
    StreamSession(StreamInfo info, const StreamLimits& limits, StreamTime now);

    // A text message. False: this session must be closed with 1008.
    bool receive(std::string_view text, StreamTime now);

    // What to draw now, if anything; the task holds a credit until one of the three calls below ends it.
    std::optional<RenderTask> next_render(StreamTime now);
    // Drawn: the next may be drawn while this one is encoded.
    void rendered(const RenderTask& task);
    // Encoded, waits for the socket: its header.
    std::vector<std::byte> encoded(const RenderTask& task, const DrawnFrame& drawn, StreamTime now);
    // What its picture is framed by, where the viewer does not know it yet: goes out before the frame.
    std::optional<std::string> take_framing() { return framing_.take_text(); }
    // The oldest of the frames that wait goes to the socket: from now on its viewer may have seen it.
    void sending() { ++sending_sequence_; }
    // Could not be drawn or encoded; with `retry` it is tried again after that moment and nothing is said.
    void failed(const RenderTask& task, std::string_view why, std::optional<StreamTime> retry);

    // The material variant to load now, if the viewer wants another one than the pictures show (empty inside:
    // the file's own materials); nothing is drawn until one of the two calls below ends it.
    std::optional<std::optional<std::uint32_t>> next_variant();
    void variant_loaded();
    void variant_failed(std::string_view why); // the pictures keep the one before

    // What to look up now, if anything; one at a time, until one of the two calls below ends it.
    std::optional<PickTask> next_pick();
    void picked(const PickTask& task, const scene::Scene& scene, const std::optional<scene::Hit>& hit);
    void pick_failed(std::string_view why);

    // Whether a video frame may follow those before: their encoder is worth its memory.
    bool keeps_encoder() const { return last_video_.has_value(); }

    std::vector<std::string> take_texts();
    // When to call next_render() again although nothing happened; empty: only after something did.
    std::optional<StreamTime> next_wake(StreamTime now);

    std::size_t frames_on_their_way() const
    {
        return (drawing_ ? 1 : 0) + encoding_ + unacknowledged_.size();
    }

private:
    struct Sent { // a frame
        StreamTime at;
        render::View view;
        render::Moment moment;
    };

    void apply(const ViewChange& change, StreamTime now);
    // Each: whether the picture is another one for it.
    bool apply_camera(const ViewChange& change);
    bool apply_playback(const ViewChange& change, StreamTime now);
    bool apply_size(const ViewChange& change);
    void acknowledge(std::uint32_t sequence, StreamTime now);
    void want_pick(const PickRequest& request);
    bool consume_message_token(StreamTime now);
    void say(std::string text);

    bool moving(StreamTime now) const;
    bool wants_frame(StreamTime now) const;
    bool has_place_to_draw() const;
    bool may_start(StreamTime now) const;
    void end_playback(StreamTime now);
    void adapt_detail(const RenderTask& task, const DrawnFrame& drawn);
    StreamTime earliest_start() const;
    FrameCodec choose_codec(bool at_rest) const;
    RenderTask make_task(StreamTime now);

    StreamInfo info_;
    StreamLimits limits_;
    render::View view_; // size: of the full picture
    PlaybackClock clock_;
    double css_width_ = 512.0, css_height_ = 512.0, pixel_ratio_ = 1.0;
    double max_fps_ = 60.0;
    int quality_ = 85;
    std::uint32_t input_ = 0;
    std::optional<std::uint32_t> clip_;
    std::optional<std::uint32_t> variant_;       // wanted
    std::optional<std::uint32_t> shown_variant_; // or being loaded
    std::optional<std::uint32_t> kept_variant_;  // shown before that
    bool loading_variant_ = false;
    StreamTime last_view_{};
    bool moving_ = false;

    bool drawn_full_ = false; // the last task
    FrameCodec moving_codec_ = FrameCodec::jpeg;
    bool key_wanted_ = false; // the viewer's decoder begins
    std::uint32_t next_sequence_ = 1;
    std::uint32_t sending_sequence_ = 0; // the newest that went to the socket
    std::uint64_t revision_ = 0;         // of what is shown, but for its time; 0: no view has come
    std::uint64_t drawn_revision_ = 0;   // of the last task
    double drawn_time_ = -1.0;
    std::uint64_t next_task_ = 1;
    std::optional<std::uint64_t> drawing_; // task
    std::size_t encoding_ = 0;
    std::map<std::uint32_t, Sent> unacknowledged_; // by sequence
    std::optional<Sent> seen_;                     // the newest that was acknowledged
    std::uint32_t seen_sequence_ = 0;
    bool picking_ = false;
    std::optional<PickTask> pick_; // waits
    std::optional<StreamTime> last_start_;
    std::optional<StreamTime> next_frame_due_; // when the last frame was due, or little before it began
    std::optional<StreamTime> retry_at_;
    std::optional<StreamTime> last_video_; // when one was last begun

    LodSelector detail_;
    ResolutionScaler size_;
    double scale_ = 1.0; // of the last task's sides
    double tokens_;
    StreamTime tokens_at_;
    std::vector<std::string> texts_;
    StreamStats stats_;
    FramingPublisher framing_;
};

} // namespace vitrine::server
