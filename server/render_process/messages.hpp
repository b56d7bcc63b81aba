#pragma once
// Messages between the server and a render process. Both are the same program, so the layout may change; each
// message still carries a version. The server asks, the process replies; the ones marked (no reply) precede a
// question.
//
//   start + {pipe for finished tickets}  -> ready
//   frame_memory, scene, lod + {memfd}   (no reply)
//   release                              (no reply)
//   render, render_requests, collect     -> frames, whose pixels are in the frame memory that is named: all
//                                           of them if the device has written them there, otherwise the
//                                           first, copied
//   more_pixels                          -> done, the next pixels in the frame memory that is named
//   submit, idle                         -> done
//   expected_time, memory, bounds, pick  -> a reply of the same name
//
// Instead of its reply, each question may be answered by `failed`. `log` may precede any reply. A ticket's
// number is written to the pipe when the device has finished it.
//
// The server trusts nothing that the process sends: decode() checks lengths, enumerations and counts,
// ProcessDevice sizes, indices and numbers.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/scene/hit.hpp"
#include "server/render_process/fields.hpp"
#include "vk_renderer/base/frame.hpp"
#include "vk_renderer/base/options.hpp"
#include "vk_renderer/base/view.hpp"

namespace vitrine::render_process {

inline constexpr std::uint32_t message_signature = 0x50525603; // version 3

enum class RenderMessageType : std::uint32_t {
    start = 1,
    frame_memory,
    scene,
    lod,
    release,
    render,
    render_requests,
    submit,
    collect,
    more_pixels,
    expected_time,
    memory,
    bounds,
    pick,
    idle,
    ready,
    frames,
    done,
    failed,
    log
};

// Precedes the bytes of every message.
struct RenderMessageHead {
    std::uint32_t signature = message_signature;
    std::uint32_t type = 0;
    std::uint64_t size_bytes = 0; // of what follows
    std::int64_t work_ns = 0;     // in replies: RenderDevice::work_time()
};

// Number of a scene, level of detail, ticket or frame memory, given by the server and never used again; 0:
// none.
using ObjectId = std::uint64_t;

struct StartDevice {
    static constexpr auto type = RenderMessageType::start;
    render::Options options; // without the log function
    // Files below it cannot be opened by the process, except in its folder `shaders`; empty: none is
    // excluded.
    std::string private_folder;
};
struct SharedObject { // a memfd of `size_bytes`
    ObjectId id = 0;
    std::uint64_t size_bytes = 0;
};
struct FrameMemory : SharedObject {
    static constexpr auto type = RenderMessageType::frame_memory;
};
struct SceneBlob : SharedObject {
    static constexpr auto type = RenderMessageType::scene;
};
struct LodBlob : SharedObject {
    static constexpr auto type = RenderMessageType::lod;
};
struct Release {
    static constexpr auto type = RenderMessageType::release;
    std::vector<ObjectId> scenes, lods, tickets, frame_memories;
};

// A View whose level of detail is `lod`.
struct SharedView {
    render::View view;
    ObjectId lod = 0;
};
struct Render {
    static constexpr auto type = RenderMessageType::render;
    ObjectId scene = 0;
    SharedView view;
    std::vector<render::ClipTime> clip_times;
    ObjectId frame_memory = 0;
};
struct ImageRequest {
    ObjectId scene = 0;
    SharedView view;
    render::ClipTime clip_time;
};
struct RenderRequests {
    static constexpr auto type = RenderMessageType::render_requests;
    std::vector<ImageRequest> images;
    ObjectId frame_memory = 0;
};
struct Submit {
    static constexpr auto type = RenderMessageType::submit;
    ObjectId ticket = 0;
    std::vector<ImageRequest> images;
    ObjectId frame_memory = 0; // to which the device may write; its `collect` names the same
};
struct Collect {
    static constexpr auto type = RenderMessageType::collect;
    ObjectId ticket = 0;
    ObjectId frame_memory = 0;
};
struct MorePixels {
    static constexpr auto type = RenderMessageType::more_pixels;
    ObjectId frame_memory = 0;
};
struct ExpectedTimeCall {
    static constexpr auto type = RenderMessageType::expected_time;
    ObjectId scene = 0;
    SharedView view;
};
struct MemoryCall {
    static constexpr auto type = RenderMessageType::memory;
};
struct BoundsCall {
    static constexpr auto type = RenderMessageType::bounds;
    ObjectId scene = 0;
    std::vector<render::ClipTime> clip_times;
};
struct PickCall {
    static constexpr auto type = RenderMessageType::pick;
    ObjectId scene = 0;
    SharedView view;
    render::ClipTime clip_time;
    render::Pixel pixel;
};
struct Idle {
    static constexpr auto type = RenderMessageType::idle;
};

struct Ready {
    static constexpr auto type = RenderMessageType::ready;
    render::DeviceInfo info;
};
struct FrameHead { // a Frame without its pixels
    std::uint32_t width = 0, height = 0;
    scene::Aabb bounds;
    render::Framing framing;
    std::uint32_t render_us = 0;
};
struct Frames {
    static constexpr auto type = RenderMessageType::frames;
    std::vector<FrameHead> frames;
    // Of each frame's pixels in the frame memory; empty: they follow each other from its begin on, in pieces.
    std::vector<std::uint64_t> offsets;
    std::int64_t ticket_work_ns = 0; // of collect: FrameTicket::work_time()
};
struct ExpectedTimeReply {
    static constexpr auto type = RenderMessageType::expected_time;
    std::optional<std::int64_t> nanoseconds;
};
struct MemoryReply {
    static constexpr auto type = RenderMessageType::memory;
    render::MemoryUse use;
};
struct BoundsReply {
    static constexpr auto type = RenderMessageType::bounds;
    std::vector<scene::Aabb> boxes;
};
struct PickReply {
    static constexpr auto type = RenderMessageType::pick;
    std::optional<scene::Hit> hit;
};
struct Done {
    static constexpr auto type = RenderMessageType::done;
};
enum class FailureKind : std::uint8_t { render_error, undrawable, too_large_for_device, device_lost, other };
struct Failed {
    static constexpr auto type = RenderMessageType::failed;
    FailureKind failure = FailureKind::other;
    std::string text;
};
struct Log {
    static constexpr auto type = RenderMessageType::log;
    std::string line;
};

// The messages have the types above.
template <class Message>
std::string encode(const Message& message);
// Empty: the bytes are no such message.
template <class Message>
std::optional<Message> decode(std::string_view bytes);

// Bytes of a level of detail in a memfd.
std::string encode_lod(const render::LodIndices& lod);
std::optional<render::LodIndices> decode_lod(std::string_view bytes);

} // namespace vitrine::render_process
