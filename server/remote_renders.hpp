#pragma once
// What a worker answers to other processes: requests for images and picks (routing/remote_image.hpp), and
// nothing else.

#include <string>

#include "server/services/workers/render_queue.hpp"

namespace vitrine::server {

struct Context; // server/routing/context.hpp

// Blocking. As RenderWorker::Answer.
RemoteRenderResult answer_remote_render(const std::string& text, Context& context);

} // namespace vitrine::server
