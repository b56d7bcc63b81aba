#pragma once
// The frames of a sprite, a turntable or an animated thumbnail, drawn together.

#include <functional>
#include <span>

#include "server/services/rendering/render_pool.hpp"

namespace vitrine::server {

// Each frame to `take`, in the request of the frame_requests, which are of one scene and one size. One
// submission where nobody else waits, the frame_sequence is short and the device knows what a picture of the
// model takes; otherwise pieces (adaptive_batch_size.hpp), whose frames may be encoded while the next is
// drawn. What lost a device is repeated frame by frame. Waits; not on a render thread.
Result<void> render_frame_sequence(RenderPool& renders, std::span<const render::FrameRequest> frame_requests,
                                   const RenderRequest& request,
                                   const std::function<void(render::Frame)>& take);

} // namespace vitrine::server
