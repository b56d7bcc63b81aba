#pragma once
// A StreamSession at work: draws through the render thread, encodes on the stream pool, says the rest to the
// WebSocket. Knows no WebSocket.

#include <memory>

#include "server/net/stream_body.hpp"
#include "server/routing/context.hpp"
#include "server/stream/stream_session.hpp"

namespace vitrine::server {

// Counts as a viewer in context.viewers until it is destroyed. `model`: as RenderRequest's.
std::unique_ptr<SocketSession> make_preview(SharedScene scene, std::string model, StreamInfo info,
                                            const StreamLimits& limits, Context& context);

} // namespace vitrine::server
