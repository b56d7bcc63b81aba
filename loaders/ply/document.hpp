#pragma once
// The content of a PLY file: attributes of vertices as the Scene stores them, and elements over them. Made by
// read_elements(), and made into meshes by add_meshes().

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/ply/header.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::ply {

// One entry per vertex, or empty.
struct VertexAttributes {
    glm::dvec3 origin{0.0};           // subtracted from positions far from zero; each axis is exactly a float
    std::vector<glm::vec3> positions; // relative to `origin`
    std::vector<glm::vec3> normals;   // of unit length
    std::vector<glm::vec4> colors;    // linear RGBA
    std::vector<glm::vec2> uvs;       // origin at the top left
    std::vector<bool> invalid;        // the position is not finite; it is that of another vertex
};

// Polygons, and triangles of strips.
struct Faces {
    std::vector<std::uint32_t> corners;  // vertices, as in the file; `none`: not a number of a vertex
    std::vector<std::uint32_t> ends;     // by face: end of its corners
    std::vector<glm::vec4> colors;       // by face, linear RGBA, or empty
    std::vector<glm::vec2> uvs;          // by corner, or empty
    std::vector<std::uint32_t> textures; // by face, index of its texture, or empty
};

struct Document {
    std::uint64_t vertex_count = 0; // as declared
    VertexAttributes vertices;
    Faces faces;
    std::vector<std::uint32_t> edges; // two vertices each
};

// Reads the elements after the header. Errors: malformed, truncated, unsupported, empty, limit_exceeded.
LoadResult<Document> read_elements(std::string_view file, const Header& header, const Limits& limits,
                                   io::WarningLog& warnings);

// Materials of the scene that primitives use.
struct MeshMaterials {
    std::uint32_t count = 0; // of textures, by their index in the file; 0: none
    std::uint32_t first = scene::none;
    bool hides_colors = false; // the textures are shown instead of the colors of vertices
};

// Adds a mesh and node for the faces and one for the edges, or one for the points if there is neither. Moves
// arrays out of the document. Errors: out_of_range (no face has valid vertices), limit_exceeded.
LoadResult<void> add_meshes(Document& document, const std::string& name, const MeshMaterials& materials,
                            const Limits& limits, io::WarningLog& warnings, scene::Scene& scene);

} // namespace vitrine::ply
