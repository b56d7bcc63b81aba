#include <fmt/format.h>

#include "loaders/3ds/sections.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::threeds {
namespace {

class ObjectParser {
public:
    explicit ObjectParser(io::WarningLog& warnings) : warnings_(warnings) {}

    LoadResult<NamedObject> parse(const Chunk& chunk);

private:
    LoadResult<void> mesh(const Chunk& chunk);
    LoadResult<void> faces(const Chunk& chunk);
    LoadResult<void> read_array(ChunkReader& in, std::size_t element_bytes, std::string_view what,
                                std::uint16_t& count, Bytes& array);
    void matrix(const Chunk& chunk);

    io::WarningLog& warnings_;
    NamedObject object_;
};

LoadResult<NamedObject> ObjectParser::parse(const Chunk& chunk)
{
    ChunkReader in(chunk, warnings_);
    object_.at = chunk.at;
    object_.name = in.read_text();
    while (const auto part = in.next()) {
        if (part->id == id::object_hidden) object_.hidden = true;
        if (part->id == id::camera) object_.is_camera = true;
        if (part->id == id::light) object_.is_light = true;
        if (part->id != id::mesh) continue;
        if (object_.is_mesh) {
            warnings_.add("second_mesh", "an object has two meshes; the first is used", place(part->at));
            continue;
        }
        object_.is_mesh = true;
        if (auto done = mesh(*part); !done) return std::unexpected(done.error());
    }
    return std::move(object_);
}

LoadResult<void> ObjectParser::mesh(const Chunk& chunk)
{
    ChunkReader in(chunk, warnings_);
    while (const auto part = in.next()) {
        ChunkReader values(*part, warnings_);
        LoadResult<void> done;
        switch (part->id) {
        case id::points: done = read_array(values, 12, "points", object_.point_count, object_.points); break;
        case id::texture_points:
            done = read_array(values, 8, "texture coordinates", object_.texture_point_count,
                              object_.texture_points);
            break;
        case id::faces: done = faces(*part); break;
        case id::mesh_matrix: matrix(*part); break;
        default: break;
        }
        if (!done) return done;
    }
    if (object_.texture_point_count > 0 && object_.texture_point_count < object_.point_count)
        warnings_.add("short_texture_points",
                      fmt::format("the mesh {} has {} points and {} texture coordinates; missing ones are 0",
                                  io::shown(object_.name), object_.point_count, object_.texture_point_count),
                      place(chunk.at));
    return {};
}

// Reads a 16-bit count, then that many elements.
LoadResult<void> ObjectParser::read_array(ChunkReader& in, std::size_t element_bytes, std::string_view what,
                                          std::uint16_t& count, Bytes& array)
{
    const std::uint64_t at = in.at();
    count = in.read<std::uint16_t>();
    const std::size_t there = in.remaining() / element_bytes;
    if (in.failed() || there < count)
        return fail(LoadErrc::truncated, place(at),
                    fmt::format("the mesh {} declares {} {} but contains {}", io::shown(object_.name), count,
                                what, there));
    array = in.read_bytes(count * element_bytes);
    return {};
}

LoadResult<void> ObjectParser::faces(const Chunk& chunk)
{
    ChunkReader in(chunk, warnings_);
    if (auto done = read_array(in, sizeof(FaceEntry), "faces", object_.face_count, object_.faces); !done)
        return done;
    while (const auto part = in.next()) {
        ChunkReader values(*part, warnings_);
        if (part->id == id::smoothing) {
            object_.smoothing = values.read_bytes(values.remaining() / 4 * 4);
        } else if (part->id == id::face_material) {
            FaceMaterial group{.name = values.read_text(), .faces = {}, .missing = 0, .at = part->at};
            const std::size_t count = values.read<std::uint16_t>();
            const std::size_t there = std::min(count, values.remaining() / 2);
            group.faces = values.read_bytes(there * 2);
            group.missing = count - there;
            object_.materials.push_back(group);
        }
    }
    return {};
}

// Four rows: the mesh's three axes and origin in world space.
void ObjectParser::matrix(const Chunk& chunk)
{
    ChunkReader in(chunk, warnings_);
    const auto rows = in.read<std::array<glm::vec3, 4>>();
    if (in.failed()) {
        warnings_.add("mesh_matrix", "the matrix of a mesh is truncated; it is ignored", place(chunk.at));
        return;
    }
    glm::dmat4 matrix(1.0);
    for (int i = 0; i < 4; ++i)
        matrix[i] = glm::dvec4(rows[static_cast<std::size_t>(i)], i == 3 ? 1.0 : 0.0);
    object_.matrix = matrix;
}

} // namespace

LoadResult<NamedObject> parse_object(const Chunk& chunk, io::WarningLog& warnings)
{
    return ObjectParser(warnings).parse(chunk);
}

} // namespace vitrine::threeds
