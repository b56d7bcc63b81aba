// Frames and their pixels: in the memory of the server, where the device can write it, otherwise copied
// there.
#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "server/render_process/child_session.hpp"

namespace vitrine::render_process {

void ChildSession::write_next_to(ObjectId frame_memory)
{
    renderer_->write_next_to(find_object(frame_memories_, frame_memory, "frame memory").imported);
}

// Of frames_, whose pixels the device has written to the memory; otherwise copies the first ones.
Frames ChildSession::describe_frames(ObjectId frame_memory)
{
    const auto& target = find_object(frame_memories_, frame_memory, "frame memory");
    const auto memory = target.memory->bytes();
    const auto is_in_place = [&](const render::Frame& frame) {
        const auto* at = reinterpret_cast<const std::byte*>(frame.pixels.data());
        return std::greater_equal{}(at, memory.data()) && std::less{}(at, memory.data() + memory.size());
    };
    Frames reply;
    if (std::ranges::all_of(frames_, is_in_place)) {
        for (auto& frame : frames_) {
            reply.offsets.push_back(static_cast<std::uint64_t>(
                reinterpret_cast<const std::byte*>(frame.pixels.data()) - memory.data()));
            frame.pixels.leave_memory(); // the server names it again when its frames are gone
        }
    } else {
        for (auto& frame : frames_)
            if (is_in_place(frame)) frame.pixels.own();
        // A batch whose request has failed, or whose ticket was dropped, may still be written there.
        if (target.imported) renderer_->wait_for(*target.imported);
    }
    for (const auto& frame : frames_)
        reply.frames.push_back({frame.width, frame.height, frame.bounds, frame.framing, frame.render_us});
    copied_frames_ = reply.offsets.size();
    copied_bytes_ = 0;
    copy_pixels(frame_memory);
    return reply;
}

// Fills the frame memory with the next pixels.
void ChildSession::copy_pixels(ObjectId frame_memory)
{
    const auto piece = find_object(frame_memories_, frame_memory, "frame memory").memory->bytes();
    std::size_t at = 0;
    while (copied_frames_ < frames_.size() && at < piece.size()) {
        const auto& pixels = frames_[copied_frames_].pixels;
        const auto size = std::min(pixels.size() - copied_bytes_, piece.size() - at);
        if (size > 0) std::memcpy(piece.data() + at, pixels.data() + copied_bytes_, size);
        at += size;
        copied_bytes_ += size;
        if (copied_bytes_ < pixels.size()) return;
        frames_[copied_frames_].pixels.leave_memory();
        ++copied_frames_;
        copied_bytes_ = 0;
    }
}

Frames ChildSession::perform(const Render& question)
{
    write_next_to(question.frame_memory);
    renderer_->render(scene_of(question.scene), view_of(question.view), question.clip_times, frames_);
    return describe_frames(question.frame_memory);
}

Frames ChildSession::perform(const RenderRequests& question)
{
    write_next_to(question.frame_memory);
    renderer_->render(requests_of(question.images), frames_);
    return describe_frames(question.frame_memory);
}

Frames ChildSession::perform(const Collect& question)
{
    const auto ticket = find_object(tickets_, question.ticket, "ticket");
    tickets_.erase(question.ticket);
    watcher_->wait_for(question.ticket);
    frames_ = ticket->collect();
    auto reply = describe_frames(question.frame_memory);
    reply.ticket_work_ns = ticket->work_time().count();
    return reply;
}

Done ChildSession::perform(const Submit& question)
{
    write_next_to(question.frame_memory);
    auto ticket = renderer_->submit(requests_of(question.images));
    watcher_->add(question.ticket, ticket);
    tickets_[question.ticket] = std::move(ticket);
    return {};
}

Done ChildSession::perform(const MorePixels& question)
{
    copy_pixels(question.frame_memory);
    return {};
}

} // namespace vitrine::render_process
