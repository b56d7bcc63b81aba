#include <algorithm>
#include <cmath>
#include <map>

#include "loaders/3ds/sections.hpp"

namespace vitrine::threeds {
namespace {

void read_value(ChunkReader& in, glm::vec3& value)
{
    value = in.read<glm::vec3>();
}
void read_value(ChunkReader& in, float& value)
{
    value = in.read<float>();
}
void read_value(ChunkReader& in, AxisAngle& value)
{
    value.angle = in.read<float>();
    value.axis = in.read<glm::vec3>();
}
void read_value(ChunkReader&, Toggle&) {}

// Larger numbers are invalid, and results computed from them would exceed a float.
constexpr float max_value_magnitude = 1e18f;

bool is_usable(float value)
{
    return std::abs(value) < max_value_magnitude; // false for NaN
}
bool is_usable(const glm::vec3& value)
{
    return is_usable(value.x) && is_usable(value.y) && is_usable(value.z);
}
bool is_usable(const AxisAngle& value)
{
    constexpr float max_angle = 1000.0f; // radians between two keys
    return std::abs(value.angle) < max_angle && is_usable(value.axis);
}
bool is_usable(const Toggle&)
{
    return true;
}

float parameter(ChunkReader& in, bool there, float min_value)
{
    const float value = there ? in.read<float>() : 0.0f;
    return std::isfinite(value) ? std::clamp(value, min_value, 1.0f) : 0.0f;
}

template <class Value>
SplineKey<Value> read_key(ChunkReader& in)
{
    SplineKey<Value> key;
    key.frame = in.read<std::int32_t>();
    const auto flags = in.read<std::uint16_t>();
    key.tension = parameter(in, (flags & 0x01) != 0, -1.0f);
    key.continuity = parameter(in, (flags & 0x02) != 0, -1.0f);
    key.bias = parameter(in, (flags & 0x04) != 0, -1.0f);
    key.ease_to = parameter(in, (flags & 0x08) != 0, 0.0f);
    key.ease_from = parameter(in, (flags & 0x10) != 0, 0.0f);
    read_value(in, key.value);
    return key;
}

// 2 and 3 in Autodesk's toolkit; lib3ds writes 1 for repeat.
Repeat repeat_of(std::uint16_t flags)
{
    switch (flags & 3) {
    case 0: return Repeat::none;
    case 3: return Repeat::loop;
    default: return Repeat::repeat;
    }
}

// By frame; of two keys at one frame the later is used.
template <class Value>
void order_keys(std::vector<SplineKey<Value>>& keys)
{
    const auto out_of_order = [](const auto& a, const auto& b) { return a.frame >= b.frame; };
    if (std::ranges::adjacent_find(keys, out_of_order) == keys.end()) return;
    std::map<std::int32_t, SplineKey<Value>> by_frame;
    for (const auto& key : keys)
        by_frame.insert_or_assign(key.frame, key);
    keys.clear();
    for (const auto& [frame, key] : by_frame)
        keys.push_back(key);
}

// Reads as many keys as exist.
template <class Value>
SplineTrack<Value> read_track(const Chunk& chunk, io::WarningLog& warnings)
{
    constexpr std::uint16_t unlinked_axes_mask = 0x0100 | 0x0200 | 0x0400;
    constexpr std::size_t min_key_bytes = 6;
    ChunkReader in(chunk, warnings);
    SplineTrack<Value> track;
    const auto flags = in.read<std::uint16_t>();
    track.repeat = repeat_of(flags);
    in.read_bytes(8); // not used
    const auto count = in.read<std::uint32_t>();
    track.keys.reserve(std::min<std::size_t>(count, in.remaining() / min_key_bytes));
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto key = read_key<Value>(in);
        if (in.failed() || !is_usable(key.value)) {
            warnings.add(
                "invalid_keys",
                "a track is truncated or has a value that is not finite; the keys before it are used",
                place(in.at()));
            break;
        }
        track.keys.push_back(key);
    }
    if ((flags & unlinked_axes_mask) != 0)
        warnings.add("unlinked_axis",
                     "a node disables inheritance along some axes; it inherits the whole transform",
                     place(chunk.at));
    order_keys(track.keys);
    return track;
}

std::uint32_t key_count(ChunkReader in)
{
    in.read_bytes(10);
    return in.read<std::uint32_t>();
}

NodeKind kind_of(std::uint16_t id)
{
    switch (id) {
    case id::object_node: return NodeKind::object;
    case id::camera_node: return NodeKind::camera;
    case id::camera_target_node: return NodeKind::camera_target;
    case id::light_node:
    case id::spot_node: return NodeKind::light;
    case id::light_target_node: return NodeKind::light_target;
    default: return NodeKind::other;
    }
}

void read_header(ChunkReader& in, KeyframerNode& node)
{
    constexpr std::uint16_t hidden = 0x0800;
    constexpr std::uint16_t none = 0xFFFF;
    node.name = in.read_text();
    node.hidden = (in.read<std::uint16_t>() & hidden) != 0;
    in.read<std::uint16_t>();
    const auto parent = in.read<std::uint16_t>();
    node.parent = in.failed() || parent == none ? no_node : parent;
}

} // namespace

KeyframerNode parse_node(const Chunk& chunk, io::WarningLog& warnings)
{
    KeyframerNode node;
    node.kind = kind_of(chunk.id);
    node.at = chunk.at;
    ChunkReader in(chunk, warnings);
    while (const auto part = in.next()) {
        ChunkReader values(*part, warnings);
        switch (part->id) {
        case id::node_id: node.id = values.read<std::uint16_t>(); break;
        case id::node_header: read_header(values, node); break;
        case id::instance_name: node.instance = values.read_text(); break;
        case id::pivot:
            if (const auto pivot = values.read<glm::vec3>(); is_usable(pivot))
                node.pivot = pivot;
            else
                warnings.add("invalid_pivot", "a pivot is not finite; the origin is used", place(part->at));
            break;
        case id::position_track: node.position = read_track<glm::vec3>(*part, warnings); break;
        case id::rotation_track: node.rotation = read_track<AxisAngle>(*part, warnings); break;
        case id::scale_track: node.scale = read_track<glm::vec3>(*part, warnings); break;
        case id::roll_track: node.roll = read_track<float>(*part, warnings); break;
        case id::hide_track: node.hide = read_track<Toggle>(*part, warnings); break;
        case id::color_track: node.changes_color = key_count(values) > 1; break;
        case id::morph_track:
            if (key_count(values) > 1)
                warnings.add("morph_track", "morph tracks are not supported; the object keeps its shape",
                             place(part->at));
            break;
        default: break;
        }
    }
    return node;
}

} // namespace vitrine::threeds
