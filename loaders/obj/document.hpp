#pragma once
// An OBJ file as read: attributes as they stand in the file, elements as triangles, lines and points over
// distinct vertices. Next stop: add_meshes().

#include <optional>
#include <string>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/obj/corner_table.hpp"

namespace vitrine::obj {

// Corner::normal is an index into `normals`, or with the upper bits set one into a computed list.
inline constexpr std::uint32_t flat_normal = 0x8000'0000;   // | index into flat_normals
inline constexpr std::uint32_t smooth_normal = 0xC000'0000; // | index into smooth_sums

// A run of indices with one topology and material.
struct PrimitiveRun {
    scene::Topology topology = scene::Topology::triangles;
    std::uint32_t material = scene::none; // into Document::materials
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};

// What becomes one mesh; ends where the next one begins.
struct Part {
    std::string name;
    std::uint32_t first_vertex = 0;
    std::uint64_t first_index = 0;
    std::size_t first_primitive_run = 0;
};

// A name that the file gives to something outside it.
struct NamedReference {
    std::string name;
    std::uint64_t line = 0; // of the first one
};

struct Document {
    glm::dvec3 origin{0.0};           // that positions are counted from, each axis of it a float's number
    std::vector<glm::vec3> positions; // less `origin`
    std::vector<glm::vec2> uvs;       // flipped: top left origin
    std::vector<glm::vec3> normals;
    std::vector<glm::vec4> colors; // by position, as in the file; x < 0: none. Empty: no colors at all
    std::uint64_t polygon_count = 0;

    CornerTable vertices;                // of all parts
    std::vector<glm::vec3> flat_normals; // one per face that needs it, not unit length
    std::vector<glm::vec3> smooth_sums;  // angle-weighted, per position, smoothing group and side
    std::vector<std::uint32_t> indices;  // counted from the part's first vertex
    std::vector<PrimitiveRun> primitive_runs;
    std::vector<Part> parts;

    std::vector<NamedReference> materials; // in order of first use
    std::vector<NamedReference> libraries; // the rest of each mtllib line
};

} // namespace vitrine::obj
