#pragma once
// A StreamSession at work: draws through the render thread, encodes on the stream pool, says the rest to the
// WebSocket. Knows no WebSocket.

#include <functional>
#include <memory>
#include <optional>

#include "server/net/stream_body.hpp"
#include "server/routing/context.hpp"
#include "server/stream/stream_session.hpp"

namespace vitrine::server {

// The scene with another set of materials, or for an empty argument with the file's own. On the slow pool;
// may outlive the session.
using LoadVariant = std::function<Result<SharedScene>(std::optional<std::uint32_t>)>;

// Counts as a viewer in context.viewers until it is destroyed. `model`: as RenderRequest's.
std::unique_ptr<SocketSession> make_preview(SharedScene scene, LoadVariant load_variant, std::string model,
                                            StreamInfo info, const StreamLimits& limits, Context& context);

} // namespace vitrine::server
