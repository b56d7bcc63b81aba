#pragma once
// Answers the messages of the server in the render process, by calls of a Renderer. Used by the main thread.
// child_session.cpp: the messages; child_frames.cpp: frames and their pixels.

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "server/render_process/message_stream.hpp"
#include "server/render_process/messages.hpp"
#include "server/render_process/shared_memory.hpp"
#include "server/render_process/ticket_watcher.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::render_process {

// Throws if there is none.
template <class Objects>
auto& find_object(Objects& objects, ObjectId id, const char* kind)
{
    const auto found = objects.find(id);
    if (found == objects.end())
        throw std::runtime_error(fmt::format("the render process has no {} {}", kind, id));
    return found->second;
}

class ChildSession {
public:
    explicit ChildSession(FileDescriptor socket) : stream_(std::move(socket)) {}

    // The first message: takes privileges away, before other threads exist. Returns false if the server has
    // sent something else, or has ended.
    bool receive_start();
    // Creates the device and answers until the server closes its end. Returns the exit code.
    int run();

private:
    void start_device();
    bool answer(ReceivedMessage& received);
    template <class Message>
    bool handle(ReceivedMessage& received);
    template <class Call>
    void reply_with(Call call);
    template <class Reply>
    void reply(const Reply& message);
    void fail(FailureKind failure, const std::string& text);
    void log(const std::string& line);

    // Messages without a reply.
    void handle(const FrameMemory& message, FileDescriptor& file);
    void handle(const SceneBlob& message, FileDescriptor& file);
    void handle(const LodBlob& message, FileDescriptor& file);
    void handle(const Release& message, FileDescriptor& file);
    // Questions. They throw what the Renderer throws.
    Frames perform(const Render& question);
    Frames perform(const RenderRequests& question);
    Frames perform(const Collect& question);
    Done perform(const Submit& question);
    Done perform(const MorePixels& question);
    Done perform(const Idle& question);
    ExpectedTimeReply perform(const ExpectedTimeCall& question);
    MemoryReply perform(const MemoryCall&) { return {renderer_->memory()}; }
    BoundsReply perform(const BoundsCall& question);
    PickReply perform(const PickCall& question);

    const scene::SharedScene& scene_of(ObjectId id) const;
    render::View view_of(const SharedView& shared) const;
    std::vector<render::FrameRequest> requests_of(const std::vector<ImageRequest>& images) const;
    Frames describe_frames(ObjectId frame_memory);
    void copy_pixels(ObjectId frame_memory);
    void write_next_to(ObjectId frame_memory);

    MessageStream stream_;
    std::mutex log_mutex_; // guards the members below: the validation layers log on any thread
    std::vector<std::string> log_lines_;
    // Of the main thread.
    render::Options options_;
    FileDescriptor notices_; // until the watcher has it
    std::map<ObjectId, scene::SharedScene> scenes_;
    std::map<ObjectId, std::shared_ptr<const render::LodIndices>> lods_;
    struct FrameTarget {
        std::shared_ptr<SharedMemory> memory;
        std::shared_ptr<render::ImportedMemory> imported; // null: pixels are copied
    };
    std::map<ObjectId, FrameTarget> frame_memories_;
    std::vector<render::Frame> frames_; // of the last reply, or memory to reuse
    std::size_t copied_frames_ = 0;     // complete ones
    std::size_t copied_bytes_ = 0;      // of the next one
    std::unique_ptr<render::Renderer> renderer_;
    std::map<ObjectId, std::shared_ptr<render::FrameTicket>> tickets_;
    std::optional<TicketWatcher> watcher_;
};

} // namespace vitrine::render_process
