#include "server/render_process/frame_receiver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "loaders/scene/scene.hpp"
#include "server/render_process/process_connection.hpp"

namespace vitrine::render_process {
namespace {

constexpr std::uint32_t max_side = 1u << 16; // the process rejects larger images
constexpr std::uint64_t bytes_per_pixel = 4;
// Where the device writes pixels, it also writes boxes and timestamps: of a batch, and of each image. Crowds
// of hundreds have more; their pixels are copied.
constexpr std::uint64_t batch_bytes = 16u << 10, image_bytes = 512;

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

bool is_valid_hit(const scene::Hit& hit, const scene::Scene& scene)
{
    const auto is_index = [](std::uint32_t index, std::size_t count) {
        return index == scene::none || index < count;
    };
    if (hit.node >= scene.nodes.size() || hit.mesh >= scene.meshes.size() ||
        !is_index(hit.joint, scene.nodes.size()) || !is_index(hit.material, scene.materials.size()))
        return false;
    const auto& primitives = scene.meshes[hit.mesh].primitives;
    if (hit.primitive >= primitives.size() || hit.triangle >= primitives[hit.primitive].count) return false;
    for (int i = 0; i < 3; ++i)
        if (!std::isfinite(hit.barycentric[i]) || !std::isfinite(hit.position[i]) ||
            !std::isfinite(hit.normal[i]))
            return false;
    return std::isfinite(hit.weight) && std::isfinite(hit.uv.x) && std::isfinite(hit.uv.y) &&
           std::isfinite(hit.distance);
}

std::uint64_t max_reply_bytes(std::size_t frames)
{
    return ProcessConnection::small_reply_bytes + frames * (sizeof(FrameHead) + sizeof(std::uint64_t));
}

const char* find_fault(const Frames& reply, std::span<const FrameSize> sizes, std::uint64_t memory_bytes)
{
    if (reply.frames.size() != sizes.size()) return "it has sent another number of frames";
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if (!is_valid(reply.frames[i], sizes[i])) return "it has sent an invalid frame";
    if (reply.offsets.empty()) return nullptr;
    if (reply.offsets.size() != sizes.size()) return "it has sent another number of offsets";
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto bytes = bytes_of(sizes[i]);
        if (bytes > memory_bytes || reply.offsets[i] > memory_bytes - bytes)
            return "it has sent pixels outside the memory";
    }
    return nullptr;
}

FrameReceiver::FrameReceiver(std::uint64_t max_shared_bytes, Process process)
    : process_(std::move(process)), pool_(max_shared_bytes, render::PixelWriter::other_process)
{
}

FrameReceiver::Piece FrameReceiver::prepare(std::span<const FrameSize> sizes)
{
    std::uint64_t total = batch_bytes;
    for (const auto& size : sizes)
        total = std::min(total + bytes_of(size) + image_bytes, max_piece_bytes);
    return take(total);
}

FrameReceiver::Piece FrameReceiver::take(std::uint64_t bytes)
{
    auto piece = pool_.take(bytes);
    if (!piece) {
        const auto size = std::min(Pool::rounded(std::max<std::uint64_t>(bytes, 1)), max_piece_bytes);
        release(pool_.make_room(size));
        auto memory = SharedMemory::create(size);
        FrameMemory message;
        message.id = ++last_id_;
        message.size_bytes = size;
        process_.pass(message, memory.descriptor());
        memory.close_file();
        piece = pool_.add({message.id, std::move(memory)});
    }
    return piece;
}

void FrameReceiver::release(const std::vector<FrameFile>& files)
{
    std::vector<ObjectId> ids;
    for (const auto& file : files)
        ids.push_back(file.id);
    if (!ids.empty()) process_.release(std::move(ids));
}

void FrameReceiver::shrink()
{
    release(pool_.trim());
}

void FrameReceiver::begin_piece()
{
    at_ = 0;
    shares_piece_ = pool_.share(piece_, std::min(missing_, piece_->size()));
}

void FrameReceiver::next_piece()
{
    piece_ = {};
    piece_ = take(std::min(missing_, max_piece_bytes));
    process_.fill(piece_->id);
    begin_piece();
}

void FrameReceiver::read(const Frames& reply, Piece piece, std::vector<render::Frame>& frames)
{
    piece_ = std::move(piece);
    missing_ = 0;
    for (const auto& head : reply.frames)
        missing_ += bytes_of({head.width, head.height});
    begin_piece();
    frames.resize(reply.frames.size());
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const auto& head = reply.frames[i];
        auto& frame = frames[i];
        frame.width = head.width;
        frame.height = head.height;
        frame.bounds = head.bounds;
        frame.framing = head.framing;
        frame.render_us = head.render_us;
    }
    if (reply.offsets.empty())
        read_pieces(frames);
    else
        read_in_place(reply.offsets, frames);
    piece_ = {};
}

void FrameReceiver::read_in_place(std::span<const std::uint64_t> offsets, std::vector<render::Frame>& frames)
{
    for (std::size_t i = 0; i < frames.size(); ++i) {
        auto& frame = frames[i];
        at_ = offsets[i];
        const auto range = read_up_to(bytes_of({frame.width, frame.height}));
        if (shares_piece_)
            frame.pixels = piece_.pixels(range);
        else
            frame.pixels.assign(range);
    }
}

// The pixels of all frames follow each other, in pieces of whole files.
void FrameReceiver::read_pieces(std::vector<render::Frame>& frames)
{
    for (auto& frame : frames) {
        const auto bytes = bytes_of({frame.width, frame.height});
        if (missing_ > 0 && at_ == piece_->size()) next_piece();
        if (shares_piece_ && bytes <= piece_->size() - at_)
            frame.pixels = piece_.pixels(read_up_to(bytes));
        else
            copy_pixels(frame.pixels, bytes);
    }
}

void FrameReceiver::copy_pixels(render::Pixels& pixels, std::uint64_t bytes)
{
    pixels.leave_memory();
    auto& copy = pixels.own();
    copy.clear();
    copy.reserve(bytes);
    while (copy.size() < bytes) {
        if (at_ == piece_->size()) next_piece();
        const auto range = read_up_to(bytes - copy.size());
        copy.insert(copy.end(), range.begin(), range.end());
    }
}

// The next bytes, as far as they are in this piece.
std::span<const std::uint8_t> FrameReceiver::read_up_to(std::uint64_t bytes)
{
    const auto piece = std::as_bytes(piece_->memory.bytes());
    const auto range = piece.subspan(at_, std::min<std::uint64_t>(bytes, piece.size() - at_));
    at_ += range.size();
    missing_ -= range.size();
    return {reinterpret_cast<const std::uint8_t*>(range.data()), range.size()};
}

} // namespace vitrine::render_process
