#pragma once
// One live preview: a PreviewSession with the work that runs for it on other threads. Private to this folder.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/steady_timer.hpp>

#include "server/net/async.hpp"
#include "server/net/stream_body.hpp"
#include "server/preview/preview.hpp"
#include "server/preview/shared_frames.hpp"
#include "vk_renderer/encode/video.hpp"
#include "vk_renderer/mesh/lod.hpp"

namespace vitrine::server {

using FrameBuffer = std::vector<render::Frame>; // holds one frame; kept to reuse its memory

// A rendered frame while it is encoded.
struct PendingEncoding {
    RenderTask task;
    FrameBuffer frames;
    std::shared_ptr<render::VideoEncoder> video;  // the viewer's encoder, for video frames
    std::shared_ptr<SharedFrames::Ticket> ticket; // other viewers may wait for the frame
    DrawnFrame drawn;
    std::shared_ptr<const std::vector<std::byte>> payload; // null: encoding failed
};

// Fills `drawn` and `payload`. Takes milliseconds: run on a pool, sequentially for one `video`.
void encode_frame(PendingEncoding& encoding);

// Runs on the strand of its connection. Shared with tasks on other threads, which detect by it that the
// viewer has disconnected.
class PreviewDriver final : public std::enable_shared_from_this<PreviewDriver> {
public:
    PreviewDriver(PreviewSource source, const PreviewLimits& limits, Context& context);
    PreviewDriver(const PreviewDriver&) = delete;
    PreviewDriver& operator=(const PreviewDriver&) = delete;

    void start(const asio::any_io_executor& strand);
    void receive(std::string_view text);
    // Ends the session with a WebSocket close code.
    void close(std::uint16_t code, std::string reason);
    // Returns the next message for the peer; waits until there is one.
    asio::awaitable<WebSocketMessage> next();

private:
    struct Drawing {
        RenderTask task;
        FrameBuffer frames;
        std::shared_ptr<SharedFrames::Ticket> ticket;
        std::optional<render::Framing> measured{}; // of task.measured
    };

    void connect_session();
    void pull_texts();
    void pump();
    void plan_wake();

    void start_lod_build();
    void begin_scene(const SceneChoice& choice);
    void scene_loaded(const Result<ShownScene>& shown);
    // Joins the viewers of the session's view, and takes their pace.
    void join_view(PreviewTime now);
    void draw(RenderTask task);
    void draw_alone(const RenderTask& task, std::shared_ptr<SharedFrames::Ticket> ticket);
    // A frame of another viewer; null: it could not be drawn.
    void shared(const RenderTask& task, const SharedFramePtr& frame);
    void queue_frame(const RenderTask& task, const DrawnFrame& drawn, SharedBytes payload);
    void drawn(Drawing& drawing, const std::exception_ptr& error);
    void draw_failed(const RenderTask& task, const std::exception_ptr& error);
    void start_pick(const PickTask& task);
    void pick_done(const PickTask& task, const std::optional<scene::Hit>& hit, bool failed);
    void encode_next();
    void encoded(PendingEncoding& encoding);
    std::shared_ptr<render::VideoEncoder> encoder_of(FrameCodec codec);
    FrameBuffer take_spare();

    ViewerPlace place_;
    SharedScene scene_;                                                // as the viewer has selected it
    std::map<std::string, scene::FoundClip, std::less<>> other_clips_; // that fit scene_
    std::shared_ptr<const ShownRow> row_;                              // null: one model
    LoadShownScene load_scene_;
    std::string content_hash_;
    bool software_; // the device renders on the CPU
    const std::string trace_;
    bool lod_started_ = false;
    std::shared_ptr<const render::LodIndices> lod_; // decimated scene for motion, when rendering is too slow
    PreviewSession session_;
    Context& context_;
    asio::any_io_executor strand_;
    SharedFrames::Viewer viewer_;
    std::optional<std::uint64_t> joined_revision_; // of the session when viewer_ joined
    std::optional<Signal> wake_signal_;
    std::optional<asio::steady_timer> timer_;
    std::optional<PreviewTime> planned_;
    std::deque<std::shared_ptr<PendingEncoding>> to_encode_;
    bool encoding_ = false;
    std::shared_ptr<render::VideoEncoder> video_; // used by the running encoding
    std::vector<FrameBuffer> spare_;              // at most as many as frames in flight
    std::deque<WebSocketMessage> outbox_;         // texts, and at most two frames with their framing messages
    std::optional<WebSocketClose> closing_;
};

} // namespace vitrine::server
