#pragma once
// Connects a StreamSession to its environment: renders on the render thread, encodes on the stream pool,
// queues messages for the WebSocket.

#include <functional>
#include <memory>
#include <optional>

#include "server/net/stream_body.hpp"
#include "server/routing/context.hpp"
#include "server/stream/stream_session.hpp"

namespace vitrine::server {

// Loads the scene with a material variant, or for an empty argument with the file's own materials. On the
// slow pool; may outlive the session.
using LoadVariant = std::function<Result<SharedScene>(std::optional<std::uint32_t>)>;

// Counted in context.viewers until it is destroyed. `model`: see RenderRequest.
std::unique_ptr<SocketSession> make_preview(SharedScene scene, LoadVariant load_variant, std::string model,
                                            StreamInfo info, const StreamLimits& limits, Context& context);

} // namespace vitrine::server
