#include "server/render_process/child_session.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include <malloc.h>

#include <fmt/format.h>

#include "loaders/scene/scene.hpp"
#include "server/render_process/confinement.hpp"

namespace vitrine::render_process {
namespace {

constexpr std::uint64_t max_message_bytes = 256u << 20;
constexpr std::size_t max_queued_lines = 50; // of log lines until the next reply; more are dropped
constexpr std::size_t max_line_bytes = 2000;
// The server reads each reply at once; a server that does not is stopped or has ended.
constexpr std::chrono::minutes reply_timeout{10};

constexpr int protocol_error = 3; // exit code

} // namespace

bool ChildSession::receive_start()
{
    auto received = stream_.receive(max_message_bytes, std::nullopt);
    if (!received || received->type != StartDevice::type) return false;
    auto start = decode<StartDevice>(received->bytes);
    if (!start) return false;
    if (!forbid_network())
        log("the render process runs without a system call filter: seccomp is not available");
    if (!start->private_folder.empty() && !forbid_files(start->private_folder))
        log("the render process can open the server's files: Landlock is not available");
    options_ = std::move(start->options);
    notices_ = std::move(received->descriptor);
    return true;
}

void ChildSession::start_device()
{
    watcher_.emplace(std::move(notices_));
    options_.on_log_message = [this](const std::string& line) { log(line); };
    reply_with([&] {
        auto renderer = std::make_unique<render::Renderer>(options_);
        renderer->warm_up();
        renderer_ = std::move(renderer);
        return Ready{renderer_->info()};
    });
}

int ChildSession::run()
{
    start_device();
    while (renderer_) {
        auto received = stream_.receive(max_message_bytes, std::nullopt);
        if (!received) return received.error() == StreamError::closed ? 0 : protocol_error;
        if (!answer(*received)) return protocol_error;
    }
    return 0; // as was replied, there is no device
}

// Returns false for a message that this version does not have.
bool ChildSession::answer(ReceivedMessage& received)
{
    switch (received.type) {
    case RenderMessageType::frame_memory: return handle<FrameMemory>(received);
    case RenderMessageType::scene: return handle<SceneBlob>(received);
    case RenderMessageType::lod: return handle<LodBlob>(received);
    case RenderMessageType::release: return handle<Release>(received);
    case RenderMessageType::render: return handle<Render>(received);
    case RenderMessageType::render_requests: return handle<RenderRequests>(received);
    case RenderMessageType::submit: return handle<Submit>(received);
    case RenderMessageType::collect: return handle<Collect>(received);
    case RenderMessageType::more_pixels: return handle<MorePixels>(received);
    case RenderMessageType::expected_time: return handle<ExpectedTimeCall>(received);
    case RenderMessageType::memory: return handle<MemoryCall>(received);
    case RenderMessageType::bounds: return handle<BoundsCall>(received);
    case RenderMessageType::pick: return handle<PickCall>(received);
    case RenderMessageType::idle: return handle<Idle>(received);
    default: return false;
    }
}

template <class Message>
bool ChildSession::handle(ReceivedMessage& received)
{
    const auto message = decode<Message>(received.bytes);
    if (!message) return false;
    if constexpr (requires { perform(*message); })
        reply_with([&] { return perform(*message); });
    else
        handle(*message, received.descriptor);
    return true;
}

// Sends the result of the call, or its failure.
template <class Call>
void ChildSession::reply_with(Call call)
{
    try {
        reply(call());
    } catch (const render::TooLargeForDevice& error) {
        fail(FailureKind::too_large_for_device, error.what());
    } catch (const render::Undrawable& error) {
        fail(FailureKind::undrawable, error.what());
    } catch (const render::RenderError& error) {
        fail(FailureKind::render_error, error.what());
    } catch (const render::DeviceLost& error) {
        fail(FailureKind::device_lost, error.what());
    } catch (const std::exception& error) {
        fail(FailureKind::other, error.what());
    }
}

template <class Reply>
void ChildSession::reply(const Reply& message)
{
    const auto deadline = std::chrono::steady_clock::now() + reply_timeout;
    std::vector<std::string> lines;
    {
        const std::lock_guard lock(log_mutex_);
        lines.swap(log_lines_);
    }
    for (const auto& line : lines)
        (void)stream_.send({.type = static_cast<std::uint32_t>(Log::type)}, encode(Log{line}), deadline);
    const auto work = renderer_ ? renderer_->work_time() : std::chrono::nanoseconds(0);
    // If the server has closed its end, the next receive() says so.
    (void)stream_.send({.type = static_cast<std::uint32_t>(Reply::type), .work_ns = work.count()},
                       encode(message), deadline);
}

void ChildSession::fail(FailureKind failure, const std::string& text)
{
    reply(Failed{failure, text});
}

void ChildSession::log(const std::string& line)
{
    const std::lock_guard lock(log_mutex_);
    if (log_lines_.size() < max_queued_lines) log_lines_.push_back(line.substr(0, max_line_bytes));
}

// What cannot be mapped is missing when it is used.
void ChildSession::handle(const FrameMemory& message, FileDescriptor& file)
{
    auto mapped = SharedMemory::map(file, message.size_bytes);
    if (!mapped) return;
    FrameTarget target{std::make_shared<SharedMemory>(std::move(*mapped)), nullptr};
    try {
        target.imported = renderer_->import_memory(target.memory->bytes(), target.memory);
    } catch (const std::exception& error) {
        log(fmt::format("the device cannot write to shared memory: {}", error.what()));
    }
    frame_memories_[message.id] = std::move(target);
}

void ChildSession::handle(const SceneBlob& message, FileDescriptor& file)
{
    if (auto scene = map_scene(file, message.size_bytes)) scenes_[message.id] = std::move(scene);
}

void ChildSession::handle(const LodBlob& message, FileDescriptor& file)
{
    if (auto lod = map_lod(file, message.size_bytes)) lods_[message.id] = std::move(lod);
}

void ChildSession::handle(const Release& message, FileDescriptor&)
{
    for (const auto id : message.scenes)
        scenes_.erase(id);
    for (const auto id : message.lods)
        lods_.erase(id);
    for (const auto id : message.tickets)
        tickets_.erase(id);
    for (const auto id : message.frame_memories)
        frame_memories_.erase(id);
}

const scene::SharedScene& ChildSession::scene_of(ObjectId id) const
{
    return find_object(scenes_, id, "scene");
}

render::View ChildSession::view_of(const SharedView& shared) const
{
    auto view = shared.view;
    if (shared.lod != 0) view.lod = find_object(lods_, shared.lod, "level of detail");
    return view;
}

std::vector<render::FrameRequest> ChildSession::requests_of(const std::vector<ImageRequest>& images) const
{
    std::vector<render::FrameRequest> requests;
    requests.reserve(images.size());
    for (const auto& image : images)
        requests.push_back({scene_of(image.scene), view_of(image.view), image.clip_time});
    return requests;
}

// Stores compiled pipelines, and returns the memory of large results to the system.
Done ChildSession::perform(const Idle&)
{
    frames_ = {};
    renderer_->idle();
    ::malloc_trim(0);
    return {};
}

ExpectedTimeReply ChildSession::perform(const ExpectedTimeCall& question)
{
    const auto time = renderer_->expected_time(scene_of(question.scene), view_of(question.view));
    return {time ? std::optional(time->count()) : std::nullopt};
}

BoundsReply ChildSession::perform(const BoundsCall& question)
{
    return {renderer_->bounds(scene_of(question.scene), question.clip_times)};
}

PickReply ChildSession::perform(const PickCall& question)
{
    return {renderer_->pick(scene_of(question.scene), view_of(question.view), question.clip_time,
                            question.pixel.x, question.pixel.y)};
}

} // namespace vitrine::render_process
