#include "server/render_process/process_device.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <utility>

#include "loaders/base/printable.hpp"
#include "loaders/scene/scene.hpp"
#include "server/render_process/frame_receiver.hpp"
#include "server/render_process/process_connection.hpp"
#include "server/render_process/shared_memory.hpp"
#include "server/render_process/shared_objects.hpp"

namespace vitrine::render_process {
namespace {

// Passes a memory file to the process.
template <class Message>
std::uint64_t pass(ProcessConnection& connection, ObjectId id, const ObjectFile& file)
{
    Message message;
    message.id = id;
    message.size_bytes = file.size_bytes;
    connection.send(message, file.file.get());
    return file.size_bytes;
}

std::vector<FrameSize> sizes_of(std::span<const render::FrameRequest> frame_requests)
{
    std::vector<FrameSize> sizes;
    for (const auto& frame_request : frame_requests)
        sizes.push_back({frame_request.view.width, frame_request.view.height});
    return sizes;
}

render::DeviceInfo printable_info(render::DeviceInfo info)
{
    constexpr std::size_t max_bytes = 300;
    for (auto* text : {&info.name, &info.driver, &info.api_version, &info.pci_address, &info.uuid})
        *text = printable(*text, max_bytes);
    return info;
}

} // namespace

struct ProcessDevice::Impl {
    Impl(const render::Options& options, const ProcessOptions& process_options)
        : connection(process_options, options.on_log_message),
          receiver(process_options.frame_bytes, receiver_process()),
          scenes(process_options.scene_bytes,
                 [this](const scene::Scene& scene, ObjectId id) {
                     return pass<SceneBlob>(connection, id, write_scene(scene));
                 }),
          lods(process_options.scene_bytes, [this](const render::LodIndices& lod, ObjectId id) {
              return pass<LodBlob>(connection, id, write_lod(lod));
          })
    {
    }

    SharedView shared_view(const render::View& view)
    {
        SharedView shared{view, lods.id_of(view.lod)};
        shared.view.lod = nullptr;
        return shared;
    }
    // Before the objects of each request are named.
    void begin_request()
    {
        connection.begin();
        scenes.begin_request();
        lods.begin_request();
    }
    void release_unneeded();
    std::vector<ImageRequest> images_of(std::span<const render::FrameRequest> frame_requests);
    FrameReceiver::Process receiver_process();
    // Returns ticket_work_ns of the reply.
    template <class Question>
    std::int64_t ask_frames(Question question, FrameReceiver::Piece piece, std::span<const FrameSize> sizes,
                            std::vector<render::Frame>& frames);
    FrameReceiver::Piece prepare(std::span<const FrameSize> sizes, std::vector<render::Frame>& frames);

    ProcessConnection connection;
    FrameReceiver receiver;
    SharedObjects<scene::Scene> scenes;
    SharedObjects<render::LodIndices> lods;
    render::DeviceInfo info;
    render::MemoryUse memory;
    ObjectId last_ticket = 0;
    std::mutex mutex; // guards the member below: tickets may be destroyed by any thread
    std::vector<ObjectId> dropped_tickets;
};

// After the objects of a request are named and passed: they are needed.
void ProcessDevice::Impl::release_unneeded()
{
    Release release{scenes.take_unneeded(), lods.take_unneeded(), {}, {}};
    {
        const std::lock_guard lock(mutex);
        release.tickets = std::exchange(dropped_tickets, {});
    }
    if (!release.scenes.empty() || !release.lods.empty() || !release.tickets.empty())
        connection.send(release);
}

std::vector<ImageRequest> ProcessDevice::Impl::images_of(std::span<const render::FrameRequest> frame_requests)
{
    begin_request();
    std::vector<ImageRequest> images;
    for (const auto& [scene, view, clip_time] : frame_requests)
        images.push_back({scenes.id_of(scene), shared_view(view), clip_time});
    release_unneeded();
    return images;
}

FrameReceiver::Process ProcessDevice::Impl::receiver_process()
{
    return {.pass = [this](const FrameMemory& message, int file) { connection.send(message, file); },
            .release =
                [this](std::vector<ObjectId> ids) { connection.send(Release{{}, {}, {}, std::move(ids)}); },
            .fill = [this](ObjectId id) { connection.ask<Done>(MorePixels{id}); }};
}

// Returns memory for the reply. That of `frames`, which are written again, may be used for it.
FrameReceiver::Piece ProcessDevice::Impl::prepare(std::span<const FrameSize> sizes,
                                                  std::vector<render::Frame>& frames)
{
    for (auto& frame : frames)
        frame.pixels.leave_memory();
    connection.begin();
    return receiver.prepare(sizes);
}

template <class Question>
std::int64_t ProcessDevice::Impl::ask_frames(Question question, FrameReceiver::Piece piece,
                                             std::span<const FrameSize> sizes,
                                             std::vector<render::Frame>& frames)
{
    question.frame_memory = piece->id;
    const auto reply = connection.ask<Frames>(question, max_reply_bytes(sizes.size()));
    if (const auto* fault = find_fault(reply, sizes, piece->size())) connection.lose(fault);
    receiver.read(reply, std::move(piece), frames);
    return reply.ticket_work_ns;
}

// The images of a Submit message.
class ProcessDevice::Ticket final : public render::FrameTicket {
public:
    Ticket(Impl& device, ObjectId id, FrameReceiver::Piece piece, std::vector<FrameSize> sizes)
        : device_(device), id_(id), piece_(std::move(piece)), sizes_(std::move(sizes))
    {
    }
    ~Ticket() override
    {
        if (collected_) return;
        const std::lock_guard lock(device_.mutex);
        device_.dropped_tickets.push_back(id_);
    }
    void wait() noexcept override { timed_out_ = !device_.connection.wait_finished(id_); }
    std::vector<render::Frame> collect() override
    {
        collected_ = true;
        if (timed_out_) device_.connection.lose("it has not finished a ticket in time");
        std::vector<render::Frame> frames;
        const auto work_ns = device_.ask_frames(Collect{id_}, std::move(piece_), sizes_, frames);
        work_time_ = std::chrono::nanoseconds(std::max<std::int64_t>(0, work_ns));
        return frames;
    }
    std::chrono::nanoseconds work_time() const override { return work_time_; }

private:
    Impl& device_;
    const ObjectId id_;
    FrameReceiver::Piece piece_; // to which the device writes
    const std::vector<FrameSize> sizes_;
    std::chrono::nanoseconds work_time_{};
    std::atomic<bool> timed_out_ = false;
    bool collected_ = false;
};

ProcessDevice::ProcessDevice(const render::Options& options, const ProcessOptions& process_options)
    : impl_(std::make_unique<Impl>(options, process_options))
{
    const StartDevice start{options, process_options.private_folder.native()};
    impl_->info = printable_info(impl_->connection.start(start, process_options.start_timeout).info);
}

ProcessDevice::~ProcessDevice() = default;

pid_t ProcessDevice::process_id() const
{
    return impl_->connection.process_id();
}

const render::DeviceInfo& ProcessDevice::info() const
{
    return impl_->info;
}

// The loss of the process is reported by the next request.
render::MemoryUse ProcessDevice::memory() const
{
    try {
        impl_->memory = impl_->connection.ask<MemoryReply>(MemoryCall{}).use;
    } catch (const std::exception&) {
    }
    return impl_->memory;
}

std::chrono::nanoseconds ProcessDevice::work_time() const
{
    return impl_->connection.work_time();
}

std::optional<std::chrono::nanoseconds> ProcessDevice::expected_time(const render::SharedScene& scene,
                                                                     const render::View& view) const
{
    impl_->begin_request();
    const ExpectedTimeCall question{impl_->scenes.id_of(scene), impl_->shared_view(view)};
    const auto time = impl_->connection.ask<ExpectedTimeReply>(question).nanoseconds;
    if (!time || *time < 0) return std::nullopt;
    return std::chrono::nanoseconds(*time);
}

void ProcessDevice::render(const render::SharedScene& scene, const render::View& view,
                           std::span<const render::ClipTime> clip_times, std::vector<render::Frame>& frames)
{
    impl_->begin_request();
    const Render question{
        impl_->scenes.id_of(scene), impl_->shared_view(view), {clip_times.begin(), clip_times.end()}};
    impl_->release_unneeded();
    const std::vector<FrameSize> sizes(clip_times.size(), {view.width, view.height});
    auto piece = impl_->prepare(sizes, frames);
    impl_->ask_frames(question, std::move(piece), sizes, frames);
}

void ProcessDevice::render(std::span<const render::FrameRequest> frame_requests,
                           std::vector<render::Frame>& frames)
{
    const RenderRequests question{impl_->images_of(frame_requests)};
    const auto sizes = sizes_of(frame_requests);
    auto piece = impl_->prepare(sizes, frames);
    impl_->ask_frames(question, std::move(piece), sizes, frames);
}

std::shared_ptr<render::FrameTicket>
ProcessDevice::submit(std::span<const render::FrameRequest> frame_requests)
{
    impl_->connection.read_finished();
    Submit question{++impl_->last_ticket, impl_->images_of(frame_requests)};
    auto sizes = sizes_of(frame_requests);
    auto piece = impl_->receiver.prepare(sizes);
    question.frame_memory = piece->id;
    impl_->connection.ask<Done>(question);
    return std::make_shared<Ticket>(*impl_, question.ticket, std::move(piece), std::move(sizes));
}

void ProcessDevice::idle()
{
    try {
        impl_->begin_request();
        impl_->receiver.shrink();
        impl_->release_unneeded();
        impl_->connection.ask<Done>(Idle{});
    } catch (const std::exception&) { // as in memory()
    }
}

std::vector<scene::Aabb> ProcessDevice::bounds(const render::SharedScene& scene,
                                               std::span<const render::ClipTime> clip_times)
{
    impl_->begin_request();
    const BoundsCall question{impl_->scenes.id_of(scene), {clip_times.begin(), clip_times.end()}};
    impl_->release_unneeded();
    auto reply = impl_->connection.ask<BoundsReply>(question, max_reply_bytes(clip_times.size()));
    if (reply.boxes.size() != clip_times.size() || !std::ranges::all_of(reply.boxes, is_valid_box))
        impl_->connection.lose("it has sent invalid boxes");
    return std::move(reply.boxes);
}

std::optional<scene::Hit> ProcessDevice::pick(const render::SharedScene& scene, const render::View& view,
                                              render::ClipTime clip_time, std::uint32_t x, std::uint32_t y)
{
    impl_->begin_request();
    const PickCall question{impl_->scenes.id_of(scene), impl_->shared_view(view), clip_time, {x, y}};
    impl_->release_unneeded();
    auto hit = impl_->connection.ask<PickReply>(question).hit;
    if (hit && !is_valid_hit(*hit, *scene)) impl_->connection.lose("it has sent an invalid hit");
    return hit;
}

} // namespace vitrine::render_process
