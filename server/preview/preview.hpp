#pragma once
// Connects a PreviewSession to its environment: renders on the render thread, encodes on the preview pool,
// queues messages for the WebSocket.

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <boost/json/object.hpp>

#include "api/preview_messages.hpp"
#include "server/net/stream_body.hpp"
#include "server/preview/preview_session.hpp"
#include "server/routing/context.hpp"

namespace vitrine::server {

// Several models side by side.
struct ShownRow {
    boost::json::object places{};   // as GET /v1/lineup answers
    scene::SharedLayers together{}; // scene::play_together(); null: nothing moves
    double duration_s = 0.0;        // of it
    // As GET /v1/pick answers.
    std::function<boost::json::object(const std::optional<scene::Hit>&)> describe_hit{};
};

struct ShownScene {
    SharedScene scene;
    std::string content_hash; // see RenderRequest
    // Of SceneChoice::clips, by their texts.
    std::map<std::string, scene::FoundClip, std::less<>> clips{};
    std::shared_ptr<const ShownRow> row{}; // null: one model
};
// Loads the scene that the viewer selects. On the scenes pool; may outlive the session.
using LoadShownScene = std::function<Result<ShownScene>(const SceneChoice&)>;

// The place of a viewer among those that the server accepts, until it is destroyed.
class ViewerPlace {
public:
    // Empty if `viewers` has reached the limit. Any thread.
    static std::optional<ViewerPlace> take(std::atomic<std::size_t>& viewers, std::size_t limit);

private:
    struct Release {
        void operator()(std::atomic<std::size_t>* viewers) const { --*viewers; }
    };
    explicit ViewerPlace(std::atomic<std::size_t>& viewers) : taken_(&viewers) {}
    std::unique_ptr<std::atomic<std::size_t>, Release> taken_;
};

struct PreviewSource {
    ViewerPlace place;
    ShownScene shown;
    LoadShownScene load_scene;
    api::PreviewInfo info;
    std::string trace{}; // of the request, that the viewer's frames belong to; empty: none
};

// Describes the asset for its viewers, on the device that renders it. The initial view is that of the
// thumbnail without an orbit, so that the camera does not jump when the page opens. Takes some milliseconds.
api::PreviewInfo describe_preview(const AssetRecord& asset, const scene::Scene& scene,
                                  const render::DeviceInfo& device);
// Likewise a row, with the query that names it; the initial view is that of GET /v1/render.
api::PreviewInfo describe_row_preview(std::string query, const ShownScene& shown,
                                      const render::DeviceInfo& device);

// Holds source.place until it is destroyed.
std::unique_ptr<WebSocketSession> make_preview(PreviewSource source, const PreviewLimits& limits,
                                               Context& context);

} // namespace vitrine::server
