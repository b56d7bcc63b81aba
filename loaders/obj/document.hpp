#pragma once
// The content of an OBJ file: attributes as stored in the file, elements as triangles, lines and points over
// distinct vertices. Input of add_meshes().

#include <optional>
#include <string>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/obj/corner_table.hpp"

namespace vitrine::obj {

// Corner::normal is an index into `normals`, or with upper bits set an index into a computed list.
inline constexpr std::uint32_t flat_normal = 0x8000'0000;   // flag | index into flat_normals
inline constexpr std::uint32_t smooth_normal = 0xC000'0000; // flag | index into smooth_sums

// A range of indices with one topology and material.
struct PrimitiveRun {
    scene::Topology topology = scene::Topology::triangles;
    std::uint32_t material = scene::none; // index into Document::materials
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};

// The elements of one mesh; ends where the next one starts.
struct MeshPart {
    std::string name;
    std::uint32_t first_vertex = 0;
    std::uint64_t first_index = 0;
    std::size_t first_primitive_run = 0;
};

// A reference to a material or library by name.
struct NamedReference {
    std::string name;
    std::uint64_t line = 0; // line of the first reference
};

struct Document {
    glm::dvec3 origin{0.0};           // subtracted from positions; each axis is exactly a float
    std::vector<glm::vec3> positions; // relative to `origin`
    std::vector<glm::vec2> uvs;       // flipped: origin at the top left
    std::vector<glm::vec3> normals;
    std::vector<glm::vec4> colors; // by position, as in the file; x < 0: no color. Empty: no colors at all
    std::uint64_t polygon_count = 0;

    CornerTable vertices;                // of all parts
    std::vector<glm::vec3> flat_normals; // one per face that needs it, not normalized
    std::vector<glm::vec3> smooth_sums;  // angle-weighted, per position, smoothing group and side
    std::vector<std::uint32_t> indices;  // relative to the part's first vertex
    std::vector<PrimitiveRun> primitive_runs;
    std::vector<MeshPart> parts;

    std::vector<NamedReference> materials; // in order of first use
    std::vector<NamedReference> libraries; // the text after each mtllib
};

} // namespace vitrine::obj
