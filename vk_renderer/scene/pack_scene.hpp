#pragma once
// Packs a Scene into the arrays that the shaders read. The vertices of every instance are consecutive in one
// array, sorted by kind, so that a pose is skinned by at most five dispatches for any number of nodes. Pure
// functions.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"
#include "vk_renderer/mesh/triangle_sorter.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

struct Range {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

// One draw call: a primitive of an instance, or a connected component of a blended one.
struct DrawItem {
    std::uint32_t instance = 0;
    std::uint32_t primitive = 0; // of the instance's mesh
    std::uint32_t first_index = 0;
    std::uint32_t index_count = 0;
    bool first_part =
        true; // of the primitive's single or back-to-back triangles: a SceneLod is drawn with it
    std::int32_t vertex_offset = 0;
    std::uint32_t material = 0; // the last index is the default material
    scene::Topology topology = scene::Topology::triangles;
    scene::AlphaMode alpha = scene::AlphaMode::opaque;
    bool flat = false; // each triangle has its own normal (loaders/scene/flat_meshes.hpp)
    bool cull = false;
    bool back_to_back = false; // the triangles exist for both sides: back faces are culled
    bool closed = false;       // the whole mesh is opaque and no back face is visible from outside
    bool unlit = false;
    bool lit_like_surface = false;   // lines and points with normals and without an unlit material
    bool colored = false;            // by its vertices or a texture
    bool has_extensions = false;     // see material_extensions.hpp
    bool transmissive = false;       // see material_extensions.hpp; drawn with the blended items
    bool uses_tangents = false;      // the normal map uses the mesh's tangents
    bool more_uvs = false;           // the textures use more than two UV sets
    bool casts_shadow = true;        // casts a shadow
    bool needs_sorting = false;      // blended, and drawing back faces before front faces is not exact
    Range ordered{};                 // in PackedScene::blended, sorted for each image; empty: not sorted
    std::uint32_t run = 0;           // in PackedScene::blended_runs, if `ordered` is not empty
    glm::vec3 center{0.0f};          // center of the primitive's bind pose box, for sorting blended items
    std::uint32_t palette_entry = 0; // transforms `center`
};

// The triangles of one blended draw that is sorted for each image.
struct BlendedRun {
    Range triangles;                  // in PackedScene::blended
    glm::vec3 center{0.0f};           // mean of their centers in the bind pose
    std::uint32_t mesh = scene::none; // if morph targets or vertex frames deform it; otherwise none
    std::uint32_t first_weight = 0;   // of its morph targets in a pose's values
    std::uint32_t frame_value = 0;    // of its frame blend in a pose's values
};

// Per node in a pose's values: the members of scene::FrameBlend, in their order.
inline constexpr std::uint32_t values_per_frame_blend = 7;

struct PackedScene {
    glm::dvec3 origin{0.0}; // in scene space; palettes and all drawn positions are relative to it
    std::vector<scene::Instance> instances;
    std::vector<std::uint32_t> first_vertex; // by instance
    // Vertex ranges of the instances that have triangles with vertex normals.
    std::vector<Range> triangle_instances;
    std::uint32_t palette_count = 0;
    // A pose's values: all morph weights, then the frame blend of each node (values_per_frame_blend).
    std::uint32_t weight_count = 0;
    std::uint32_t value_count = 0;

    std::vector<shared::BindVertex> vertices;
    // By vertex (encode_tangent), zeros if a mesh has none; empty if no normal map needs tangents.
    std::vector<std::uint32_t> tangents;
    std::vector<shared::VertexAttributes> attributes;
    // The UV sets beyond the second that materials use, by vertex; none if no material uses more than two.
    std::uint32_t more_uv_sets = 0;
    std::vector<glm::vec2> more_uvs;       // more_uv_sets per vertex
    Range skin1, skin4, dqs4, skinN, dqsN; // consecutive
    std::vector<std::uint32_t> skin1_joints;
    std::vector<glm::uvec2> skin4_joints; // of skin4, then of dqs4, where the heaviest influence is first
    std::vector<glm::vec4> skin4_weights;
    std::vector<std::uint32_t> dqs_instances;                           // of dqs4 and dqsN
    bool has_morphs = false, has_frames = false, has_positions = false; // among the skinN
    bool has_tangents = false;
    std::vector<shared::SkinNVertex> skinN_vertices; // of skinN and dqsN
    std::vector<shared::SkinNInstance> skinN_instances;
    std::vector<shared::InfluenceBlock> blocks;
    std::vector<glm::vec4> influence_positions;
    std::vector<shared::MorphDelta> deltas;
    std::vector<glm::vec4> tangent_deltas; // per delta; empty without tangents
    std::vector<shared::BindVertex> frame_vertices;

    std::vector<std::uint32_t> indices;
    std::vector<DrawItem> draws; // opaque and masked first, by material; then blended
    std::vector<BlendedTriangle> blended;
    std::vector<BlendedRun> blended_runs;
    std::uint64_t point_count = 0; // drawn points
    // One bit per vertex: whether a primitive uses it. Empty if all are used.
    std::vector<std::uint32_t> used;
};

// Throws RenderError if the scene is too large for 32-bit vertex indices or has nothing to draw.
PackedScene pack(const scene::Scene& scene);

std::uint32_t encode_octahedral(glm::vec3 normal);
glm::vec3 decode_octahedral(std::uint32_t packed);
// Octahedral in 16 and 15 bits, with the bitangent's sign in the bit between them.
std::uint32_t encode_tangent(glm::vec4 tangent);
glm::vec4 decode_tangent(std::uint32_t packed);

} // namespace vitrine::render
