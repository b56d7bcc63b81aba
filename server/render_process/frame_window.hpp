#pragma once
// The server's side of the memory through which pixels arrive: reads the frames of a reply, whose pixels the
// process passes in pieces of at most its size. Used by the device's thread.

#include <cstdint>
#include <span>
#include <vector>

#include "server/render_process/process_connection.hpp"
#include "server/render_process/shared_memory.hpp"
#include "vk_renderer/base/frame.hpp"

namespace vitrine::render_process {

struct FrameSize {
    std::uint32_t width = 0, height = 0;
};

class FrameWindow {
public:
    explicit FrameWindow(ProcessConnection& connection) : connection_(connection) {}

    // Makes the memory large enough for frames of these sizes, up to a limit. Throws RenderError,
    // DeviceLost.
    void prepare(std::span<const FrameSize> sizes);
    // Copies the frames of a reply, which must have these sizes. Throws DeviceLost.
    void read(const Frames& reply, std::span<const FrameSize> sizes, std::vector<render::Frame>& frames);
    // Gives most of the memory back.
    void shrink();

private:
    void resize(std::uint64_t bytes);
    void read_pixels(std::vector<render::Frame>& frames);

    ProcessConnection& connection_;
    SharedMemory memory_;
    ObjectId last_id_ = 0;
};

// Limit of a reply with this many frames.
std::uint64_t max_reply_bytes(std::size_t frames);

// Whether the box, which may be empty, has no NaN.
bool is_valid_box(const scene::Aabb& box);

} // namespace vitrine::render_process
