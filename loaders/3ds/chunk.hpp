#pragma once
// The chunks of a 3DS file: id (16 bits), size including these six bytes (32 bits), content. The id alone
// determines which chunks are nested. Sizes are not trusted: a chunk that ends after its parent is truncated
// there.

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "loaders/io/byte_reader.hpp"
#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::threeds {

struct Chunk {
    std::uint16_t id = 0;
    Bytes content;
    std::uint64_t at = 0; // offset of its first byte in the file
};

// Names as in Autodesk's file toolkit.
namespace id {
enum : std::uint16_t {
    version = 0x0002,
    color_float = 0x0010,
    color_bytes = 0x0011,
    linear_color_bytes = 0x0012,
    linear_color_float = 0x0013,
    percent_int = 0x0030,
    percent_float = 0x0031,
    master_scale = 0x0100,
    editor = 0x3D3D,
    library = 0x3DAA, // MLI
    main = 0x4D4D,
    project = 0xC23D, // PRJ

    object = 0x4000,
    object_hidden = 0x4010,
    mesh = 0x4100,
    points = 0x4110,
    faces = 0x4120,
    face_material = 0x4130,
    texture_points = 0x4140,
    smoothing = 0x4150,
    mesh_matrix = 0x4160,
    light = 0x4600,
    camera = 0x4700,

    keyframer = 0xB000,
    ambient_node = 0xB001,
    object_node = 0xB002,
    camera_node = 0xB003,
    camera_target_node = 0xB004,
    light_node = 0xB005,
    light_target_node = 0xB006,
    spot_node = 0xB007,
    segment = 0xB008,
    keyframer_header = 0xB00A,
    node_header = 0xB010,
    instance_name = 0xB011,
    pivot = 0xB013,
    position_track = 0xB020,
    rotation_track = 0xB021,
    scale_track = 0xB022,
    roll_track = 0xB024,
    color_track = 0xB025,
    morph_track = 0xB026,
    hide_track = 0xB029,
    node_id = 0xB030,

    material = 0xAFFF,
    material_name = 0xA000,
    diffuse = 0xA020,
    specular = 0xA030,
    shininess = 0xA040,
    shininess_strength = 0xA041,
    transparency = 0xA050,
    self_illuminated = 0xA080,
    two_sided = 0xA081,
    additive = 0xA083,
    self_illumination = 0xA084,
    wire = 0xA085,
    shading = 0xA100,
    texture_map = 0xA200,
    specular_map = 0xA204,
    opacity_map = 0xA210,
    reflection_map = 0xA220,
    bump_map = 0xA230,
    bump_percent = 0xA252,
    map_name = 0xA300,
    second_texture_map = 0xA33A,
    shininess_map = 0xA33C,
    self_illumination_map = 0xA33D,
    map_tiling = 0xA351,
    map_u_scale = 0xA354,
    map_v_scale = 0xA356,
    map_u_offset = 0xA358,
    map_v_offset = 0xA35A,
    map_angle = 0xA35C,
};
} // namespace id

std::string place(std::uint64_t at); // "byte 1024"

// A cursor over the content of one chunk: its own values first, then nested chunks. A read past the end
// yields zeros and sets the failed state; the caller decides how to handle truncation.
class ChunkReader {
public:
    ChunkReader(Bytes content, std::uint64_t at, io::WarningLog& warnings)
        : bytes_(content), at_(at), warnings_(&warnings)
    {
    }
    ChunkReader(const Chunk& chunk, io::WarningLog& warnings) : ChunkReader(chunk.content, chunk.at, warnings)
    {
    }

    bool failed() const { return failed_; }
    std::uint64_t at() const { return at_; } // offset in the file
    std::size_t remaining() const { return bytes_.size(); }

    template <class T>
    T read()
    {
        T value{};
        if (const Bytes bytes = read_bytes(sizeof(T)); !bytes.empty())
            std::memcpy(&value, bytes.data(), sizeof(T));
        return value;
    }
    // Returns empty bytes when fewer are left.
    Bytes read_bytes(std::uint64_t count);
    // Reads up to and including a zero byte; in the file's encoding, pointing into the file.
    std::string_view read_text();
    // Returns nullopt at the end, and where no chunk can start (with a warning).
    std::optional<Chunk> next();

private:
    void advance(std::size_t count);

    Bytes bytes_;
    std::uint64_t at_;
    io::WarningLog* warnings_;
    bool failed_ = false;
};

} // namespace vitrine::threeds
