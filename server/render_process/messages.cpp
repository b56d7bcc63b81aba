#include "server/render_process/messages.hpp"

#include "server/render_process/animation_fields.hpp"
#include "vk_renderer/mesh/lod.hpp"

namespace vitrine::render_process {

template <>
inline constexpr auto last_value<render::LightingPreset> = render::LightingPreset::reference;
template <>
inline constexpr auto last_value<render::DebugView> = render::DebugView::xray;
template <>
inline constexpr auto last_value<render::DeviceProfile> = render::DeviceProfile::gpu;
template <>
inline constexpr auto last_value<FailureKind> = FailureKind::other;

// The functions below are found by the type of `fields`.

// A path or a time in milliseconds as a field of another type.
template <class Fields, class Value, class Stored, class ToStored, class FromStored>
void convert(Fields& fields, Value& value, Stored stored, ToStored to_stored, FromStored from_stored)
{
    if constexpr (std::is_same_v<Fields, FieldWriter>) {
        stored = to_stored(value);
        fields(stored);
    } else {
        fields(stored);
        value = from_stored(stored);
    }
}

void describe_path(auto& fields, auto& value)
{
    convert(
        fields, value, std::string(), [](const auto& at) { return at.native(); },
        [](const std::string& text) { return std::filesystem::path(text); });
}

void describe(auto& fields, Is<render::Options> auto& options)
{
    fields(options.device, options.validation, options.memory_bytes, options.scene_cache_bytes,
           options.antialias, options.single_use, options.texture_side, options.device_profile,
           options.max_binding_bytes);
    describe_path(fields, options.pipeline_cache);
    describe_path(fields, options.label_font);
    convert(
        fields, options.submit_timeout, std::int64_t{0},
        [](const auto& time) { return std::int64_t{time.count()}; },
        [](std::int64_t count) { return std::chrono::milliseconds(count); });
}

void describe(auto& fields, Is<render::Camera> auto& camera)
{
    fields(camera.yaw, camera.pitch, camera.distance, camera.target, camera.vertical_fov, camera.orthographic,
           camera.automatic);
}

void describe(auto& fields, Is<render::Overlays> auto& overlays)
{
    for (const auto& word : render::overlay_words)
        fields(overlays.*word.flag);
    fields(overlays.debug_view, overlays.joint, overlays.trail_joints);
}

void describe(auto& fields, Is<render::Ghosts> auto& ghosts)
{
    fields(ghosts.before, ghosts.after, ghosts.step);
}

void describe(auto& fields, Is<scene::Aabb> auto& box)
{
    fields(box.min, box.max);
}

void describe(auto& fields, Is<render::Framing> auto& framing)
{
    fields(framing.model, framing.framed);
}

void describe(auto& fields, Is<SharedView> auto& shared)
{
    auto& view = shared.view;
    fields(view.width, view.height, view.camera, view.light, view.overlays, view.background, view.crowd,
           view.ghosts, view.framing, view.origin, shared.lod);
}

void describe(auto& fields, Is<render::ClipTime> auto& clip_time)
{
    fields(clip_time.clip, clip_time.time, clip_time.layers);
}

void describe(auto& fields, Is<ImageRequest> auto& image)
{
    fields(image.scene, image.view, image.clip_time);
}

void describe(auto& fields, Is<render::DeviceInfo> auto& info)
{
    fields(info.name, info.driver, info.api_version, info.software, info.pci_address, info.uuid);
}

void describe(auto& fields, Is<FrameHead> auto& frame)
{
    fields(frame.width, frame.height, frame.bounds, frame.framing, frame.render_us);
}

void describe(auto& fields, Is<scene::Hit> auto& hit)
{
    fields(hit.node, hit.mesh, hit.primitive, hit.triangle, hit.material, hit.joint, hit.weight,
           hit.barycentric, hit.position, hit.normal, hit.uv, hit.distance);
}

void describe(auto& fields, Is<render::LodIndices::IndexRange> auto& range)
{
    fields(range.first, range.count);
}

void describe(auto& fields, Is<render::LodIndices::PrimitiveRanges> auto& ranges)
{
    fields(ranges.single, ranges.back_to_back);
}

void describe(auto& fields, Is<StartDevice> auto& message)
{
    fields(message.options, message.private_folder);
}
void describe(auto& fields, std::derived_from<SharedObject> auto& message)
{
    fields(message.id, message.size_bytes);
}
void describe(auto& fields, Is<Release> auto& message)
{
    fields(message.scenes, message.lods, message.tickets, message.frame_memories);
}
void describe(auto& fields, Is<Render> auto& message)
{
    fields(message.scene, message.view, message.clip_times, message.frame_memory);
}
void describe(auto& fields, Is<RenderRequests> auto& message)
{
    fields(message.images, message.frame_memory);
}
void describe(auto& fields, Is<Submit> auto& message)
{
    fields(message.ticket, message.images, message.frame_memory);
}
void describe(auto& fields, Is<Collect> auto& message)
{
    fields(message.ticket, message.frame_memory);
}
void describe(auto& fields, Is<MorePixels> auto& message)
{
    fields(message.frame_memory);
}
void describe(auto& fields, Is<ExpectedTimeCall> auto& message)
{
    fields(message.scene, message.view);
}
void describe(auto&, Is<MemoryCall> auto&) {}
void describe(auto& fields, Is<BoundsCall> auto& message)
{
    fields(message.scene, message.clip_times);
}
void describe(auto& fields, Is<PickCall> auto& message)
{
    fields(message.scene, message.view, message.clip_time, message.pixel.x, message.pixel.y);
}
void describe(auto&, Is<Idle> auto&) {}
void describe(auto& fields, Is<Ready> auto& message)
{
    fields(message.info);
}
void describe(auto& fields, Is<Frames> auto& message)
{
    fields(message.frames, message.offsets, message.ticket_work_ns);
}
void describe(auto& fields, Is<ExpectedTimeReply> auto& message)
{
    fields(message.nanoseconds);
}
void describe(auto& fields, Is<MemoryReply> auto& message)
{
    fields(message.use.used, message.use.budget);
}
void describe(auto& fields, Is<BoundsReply> auto& message)
{
    fields(message.boxes);
}
void describe(auto& fields, Is<PickReply> auto& message)
{
    fields(message.hit);
}
void describe(auto&, Is<Done> auto&) {}
void describe(auto& fields, Is<Failed> auto& message)
{
    fields(message.failure, message.text);
}
void describe(auto& fields, Is<Log> auto& message)
{
    fields(message.line);
}

template <class Message>
std::string encode(const Message& message)
{
    FieldWriter fields;
    describe(fields, message);
    return fields.take();
}

template <class Message>
std::optional<Message> decode(std::string_view bytes)
{
    Message message;
    FieldReader fields(bytes);
    describe(fields, message);
    if (!fields.finish()) return std::nullopt;
    return message;
}

std::string encode_lod(const render::LodIndices& lod)
{
    FieldWriter fields;
    fields(lod.indices, lod.primitives);
    return fields.take();
}

std::optional<render::LodIndices> decode_lod(std::string_view bytes)
{
    render::LodIndices lod;
    FieldReader fields(bytes);
    fields(lod.indices, lod.primitives);
    if (!fields.finish()) return std::nullopt;
    return lod;
}

#define VITRINE_MESSAGE(Message)                                                                             \
    template std::string encode(const Message&);                                                             \
    template std::optional<Message> decode(std::string_view);

VITRINE_MESSAGE(StartDevice)
VITRINE_MESSAGE(FrameMemory)
VITRINE_MESSAGE(SceneBlob)
VITRINE_MESSAGE(LodBlob)
VITRINE_MESSAGE(Release)
VITRINE_MESSAGE(Render)
VITRINE_MESSAGE(RenderRequests)
VITRINE_MESSAGE(Submit)
VITRINE_MESSAGE(Collect)
VITRINE_MESSAGE(MorePixels)
VITRINE_MESSAGE(ExpectedTimeCall)
VITRINE_MESSAGE(MemoryCall)
VITRINE_MESSAGE(BoundsCall)
VITRINE_MESSAGE(PickCall)
VITRINE_MESSAGE(Idle)
VITRINE_MESSAGE(Ready)
VITRINE_MESSAGE(Frames)
VITRINE_MESSAGE(ExpectedTimeReply)
VITRINE_MESSAGE(MemoryReply)
VITRINE_MESSAGE(BoundsReply)
VITRINE_MESSAGE(PickReply)
VITRINE_MESSAGE(Done)
VITRINE_MESSAGE(Failed)
VITRINE_MESSAGE(Log)

#undef VITRINE_MESSAGE

} // namespace vitrine::render_process
