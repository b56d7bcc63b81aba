#pragma once
// Renders the frames of a sprite, a turntable or an animated thumbnail in batches.

#include <functional>
#include <span>

#include "server/services/rendering/render_pool.hpp"

namespace vitrine::server {

// Passes each frame to `take` in the order of the frame_requests, which have one scene and one size. Uses one
// submission if no other request waits, the sequence is short and the time per image of the model is known;
// otherwise batches (adaptive_batch_size.hpp), whose frames may be encoded while the next batch is drawn.
// After a device loss the batch is repeated frame by frame. Blocks; not on a render thread.
Result<void> render_frame_sequence(RenderPool& renders, std::span<const render::FrameRequest> frame_requests,
                                   const RenderRequest& request,
                                   const std::function<void(render::Frame)>& take);

} // namespace vitrine::server
