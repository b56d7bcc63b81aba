#pragma once
// Frames that several live previews show: viewers of the same view draw at the same pose times, so that a
// frame is drawn and encoded once, and a clip that repeats is drawn once as long as its frames fit. Any
// thread.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <prometheus/registry.h>

#include "server/preview/preview_session.hpp"
#include "server/util/shared_bytes.hpp"

namespace prometheus {
class Counter;
class Gauge;
} // namespace prometheus

namespace vitrine::server {

// An image with the facts of its header. Not for video, whose frames depend on earlier ones.
struct SharedFrame {
    DrawnFrame drawn;
    SharedBytes payload;
};
using SharedFramePtr = std::shared_ptr<const SharedFrame>;

class SharedFrames {
public:
    // `max_bytes`: of the kept frames, least recently used first out.
    SharedFrames(std::size_t max_bytes, prometheus::Registry& registry);
    ~SharedFrames();
    SharedFrames(const SharedFrames&) = delete;
    SharedFrames& operator=(const SharedFrames&) = delete;

    // One viewer of a view; leaves when it is destroyed. Must not outlive the SharedFrames.
    class Viewer {
    public:
        Viewer() = default;
        Viewer(SharedFrames& frames, std::string view);
        ~Viewer();
        Viewer(Viewer&& other) noexcept;
        Viewer& operator=(Viewer&& other) noexcept;

        const std::string& view() const { return view_; }
        // How all viewers of the view draw; empty: there is no other. `pixels`: of the full image.
        std::optional<SharedPace> pace(double pixels, bool is_dragging) const;
        // The cost of a frame that this viewer drew; `now`: when it is encoded.
        void record(const RenderTask& task, const DrawnFrame& drawn, PreviewTime now) const;

    private:
        SharedFrames* frames_ = nullptr;
        std::string view_;
    };

    // The duty to draw a frame that others may wait for. They get null if it is destroyed before finish().
    class Ticket {
    public:
        Ticket(SharedFrames& frames, std::string key) : frames_(frames), key_(std::move(key)) {}
        ~Ticket();
        Ticket(const Ticket&) = delete;
        Ticket& operator=(const Ticket&) = delete;
        void finish(const SharedFramePtr& frame);

    private:
        SharedFrames& frames_;
        std::string key_;
        bool finished_ = false;
    };

    using Ready = std::function<void(const SharedFramePtr&)>;
    // Exactly one of three: the frame; the ticket of the caller, who draws it; neither, because another
    // viewer draws it: then `ready` is called once, on the thread of that viewer's work, with the frame or
    // null.
    struct FrameClaim {
        SharedFramePtr frame;
        std::shared_ptr<Ticket> ticket;
    };
    FrameClaim claim(const std::string& key, Ready ready);

private:
    struct ViewState {
        std::size_t viewers = 0;
        ResolutionScaler scaler;
        LodSelector lod;
        double seconds = 0.0; // running mean of drawing and encoding a moving frame; 0: unknown
    };
    struct Kept {
        std::string key;
        SharedFramePtr frame;
    };

    void leave(const std::string& view);
    void finish(const std::string& key, const SharedFramePtr& frame);
    void keep(const std::string& key, const SharedFramePtr& frame);

    const std::size_t max_bytes_;
    prometheus::Counter& drawn_;
    prometheus::Counter& shared_;
    prometheus::Gauge& kept_bytes_;
    std::mutex mutex_; // of the following
    std::unordered_map<std::string, ViewState> views_;
    std::unordered_map<std::string, std::vector<Ready>> being_drawn_;
    std::list<Kept> kept_; // most recently used first
    std::unordered_map<std::string, std::list<Kept>::iterator> by_key_;
    std::size_t bytes_ = 0;
};

} // namespace vitrine::server
