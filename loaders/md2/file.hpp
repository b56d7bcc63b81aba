#pragma once
// The parsed file: every offset, count and index is validated, nothing is converted; and its mesh, in the
// file's axes (mesh_builder.cpp).

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::md2 {

struct TexCoord {
    std::int16_t s = 0; // texels from the left
    std::int16_t t = 0; // from the top
};

struct Md2Triangle { // clockwise
    std::array<std::uint16_t, 3> vertices{};
    std::array<std::uint16_t, 3> coords{}; // into Md2File::coords; not validated where that is empty
};
static_assert(sizeof(TexCoord) == 4 && sizeof(Md2Triangle) == 12);

struct Md2FrameVertex {
    std::array<std::uint8_t, 3> position{}; // times scale, plus translate
    std::uint8_t normal = 0;                // index into the table of quake_normals.hpp
};

struct VertexFrameRecord {
    glm::vec3 scale{1.0f};
    glm::vec3 translate{0.0f};
    std::string_view name; // encoding unknown
    Bytes vertices;        // Md2File::vertex_count FrameVertex records
};

// Views point into the parsed bytes.
struct Md2File {
    std::uint32_t skin_width = 0; // of the texture; may be 0
    std::uint32_t skin_height = 0;
    std::uint32_t vertex_count = 0;
    std::vector<std::string_view> skins; // names as stored, not empty
    std::vector<TexCoord> coords;
    std::vector<Md2Triangle> triangles;
    std::vector<VertexFrameRecord> frames; // at least one
};

LoadResult<Md2File> parse_file(Bytes bytes, const Limits& limits, io::WarningLog& warnings);

// Reads GL commands: strips and fans for OpenGL 1.x renderers, each corner with its own texture coordinate.
// Redundant with the triangles; used for files without triangles. Fills triangles, texture coordinates and
// the skin size in texels. `block`: `count` 32-bit words at byte `at` of the file. Errors: truncated,
// out_of_range (a vertex), limit_exceeded (indices).
LoadResult<void> read_commands(Bytes block, std::uint64_t at, const Limits& limits, Md2File& file);

struct SkinSize { // texels
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};

// Creates positions and normals of every frame, one vertex per pair of position and texture coordinate, and
// one primitive without material. Texture coordinates are divided by `skin`. Errors: limit_exceeded.
LoadResult<scene::Mesh> make_mesh(const Md2File& file, SkinSize skin, const Limits& limits);

// All names of a file are assumed to have one encoding.
io::TextEncoding encoding_of(const Md2File& file);
// Returns the names of the skins in UTF-8.
std::vector<std::string> skins_of(const Md2File& file);
// Returns the names of further skins in the model's folder, if the whole upload is read. Quake II offers the
// images that have an icon: "grunt_i" of "grunt". Elsewhere skins are named like the model and more:
// barrel_red next to barrel.md2.
std::vector<std::string> find_skins_beside(const Source& source);

} // namespace vitrine::md2
