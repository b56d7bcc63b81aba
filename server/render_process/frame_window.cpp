#include "server/render_process/frame_window.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace vitrine::render_process {
namespace {

constexpr std::uint64_t min_window_bytes = 1u << 20;
constexpr std::uint64_t max_window_bytes = 64u << 20; // larger replies arrive in several pieces
constexpr std::uint32_t max_side = 1u << 16;          // the process rejects larger images
constexpr std::uint64_t bytes_per_pixel = 4;

std::uint64_t bytes_of(const FrameSize& size)
{
    if (size.width > max_side || size.height > max_side) return 0;
    return bytes_per_pixel * size.width * size.height;
}

bool is_number(glm::vec3 v)
{
    return !std::isnan(v.x) && !std::isnan(v.y) && !std::isnan(v.z);
}

bool is_valid(const FrameHead& frame, const FrameSize& size)
{
    return frame.width == size.width && frame.height == size.height && size.width <= max_side &&
           size.height <= max_side && is_valid_box(frame.bounds) && is_valid_box(frame.framing.model) &&
           is_valid_box(frame.framing.framed);
}

} // namespace

bool is_valid_box(const scene::Aabb& box)
{
    return is_number(box.min) && is_number(box.max);
}

std::uint64_t max_reply_bytes(std::size_t frames)
{
    return ProcessConnection::small_reply_bytes + frames * sizeof(FrameHead);
}

void FrameWindow::resize(std::uint64_t bytes)
{
    memory_ = {};
    memory_ = SharedMemory::create(bytes);
    FrameMemory message;
    message.id = ++last_id_;
    message.size_bytes = bytes;
    connection_.send(message, memory_.descriptor());
}

void FrameWindow::prepare(std::span<const FrameSize> sizes)
{
    std::uint64_t total = min_window_bytes;
    for (const auto& size : sizes)
        total = std::min(total + bytes_of(size), max_window_bytes);
    if (memory_.bytes().size() < total) resize(std::bit_ceil(total));
}

void FrameWindow::shrink()
{
    if (memory_.bytes().size() > min_window_bytes) resize(min_window_bytes);
}

void FrameWindow::read(const Frames& reply, std::span<const FrameSize> sizes,
                       std::vector<render::Frame>& frames)
{
    if (reply.frames.size() != sizes.size()) connection_.lose("it has sent another number of frames");
    frames.resize(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto& head = reply.frames[i];
        if (!is_valid(head, sizes[i])) connection_.lose("it has sent an invalid frame");
        frames[i].width = head.width;
        frames[i].height = head.height;
        frames[i].bounds = head.bounds;
        frames[i].framing = head.framing;
        frames[i].render_us = head.render_us;
    }
    read_pixels(frames);
}

// The pixels of all frames follow each other, in pieces of the whole memory.
void FrameWindow::read_pixels(std::vector<render::Frame>& frames)
{
    const auto window = memory_.bytes();
    std::size_t at = 0;
    for (auto& frame : frames) {
        auto missing = bytes_of({frame.width, frame.height});
        auto& pixels = frame.pixels.own();
        pixels.clear();
        while (missing > 0) {
            if (at == window.size()) {
                connection_.ask<Done>(MorePixels{});
                at = 0;
            }
            const auto size = std::min<std::uint64_t>(missing, window.size() - at);
            const auto* const from = reinterpret_cast<const std::uint8_t*>(window.data()) + at;
            if (pixels.empty()) pixels.reserve(missing);
            pixels.insert(pixels.end(), from, from + size);
            at += size;
            missing -= size;
        }
    }
}

} // namespace vitrine::render_process
