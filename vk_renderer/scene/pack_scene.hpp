#pragma once
// A Scene as the arrays that the shaders read. Every instance's vertices stand one after the other in one
// array, sorted by kind, so that a whole frame is skinned by at most five dispatches however many nodes
// draw. Pure: no device.

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

// One draw call: a primitive of an instance, or a connected part of one that is blended.
struct DrawItem {
    std::uint32_t instance = 0;
    std::uint32_t primitive = 0; // of the instance's mesh
    std::uint32_t first_index = 0;
    std::uint32_t index_count = 0;
    bool first_part = true; // of what its primitive has single or back_to_back: `lod` is drawn with it
    Range lod{};            // in GpuScene::lod_indices, once they are there
    std::int32_t vertex_offset = 0;
    std::uint32_t material = 0; // the last one is the default material
    scene::Topology topology = scene::Topology::triangles;
    scene::AlphaMode alpha = scene::AlphaMode::opaque;
    bool cull = false;
    bool back_to_back = false; // each triangle is there for both sides: the back of neither is drawn
    bool closed = false;       // all of the mesh is opaque and no back of a face is seen from outside
    bool unlit = false;
    bool lit = false;           // lines and points with normals, and not unlit
    bool colored = false;       // by its vertices or a texture
    bool layered = false;       // see layers.hpp
    bool transmits = false;     // likewise; drawn as what is blended is
    bool tangents = false;      // its normal map lies in the mesh's own tangents
    bool casts = true;          // a shadow
    bool needs_sorting = false; // blended, and its backs before its fronts would not do
    Range ordered{};            // in PackedScene::blended: ordered anew for each picture; empty: as it is
    std::uint32_t run = 0;      // then in PackedScene::blended_runs
    glm::vec3 middle{0.0f};     // of the primitive's bind-pose box, for the order of blended ones
    std::uint32_t palette_entry = 0; // moves `middle`
};

// The triangles of one blended draw that is ordered anew for each picture.
struct BlendedRun {
    Range triangles;                  // in PackedScene::blended
    glm::vec3 middle{0.0f};           // mean of theirs, in the bind pose
    std::uint32_t mesh = scene::none; // that morph targets or vertex frames move; none: nothing does
    std::uint32_t first_weight = 0;   // among a frame's values, of its targets
    std::uint32_t frame_value = 0;    // the same of its frame blend
};

// Of each node among a frame's values: frames `from` and `to`, fraction (scene::FrameBlend).
inline constexpr std::uint32_t values_per_frame_blend = 3;

struct PackedScene {
    glm::dvec3 origin{0.0}; // in scene space: what palettes, and all that is drawn, are measured from
    std::vector<scene::Instance> instances;
    std::vector<std::uint32_t> first_vertex; // by instance
    std::vector<Range> surfaces;             // vertices of the instances that have triangles
    std::uint32_t palette_count = 0;
    // A frame's values: all morph weights, the frame blend of each node (values_per_frame_blend).
    std::uint32_t weight_count = 0;
    std::uint32_t value_count = 0;

    std::vector<shared::BindVertex> vertices;
    // By vertex (encode_tangent), zeros where a mesh has none; empty where no normal map needs them.
    std::vector<std::uint32_t> tangents;
    std::vector<shared::VertexAttributes> attributes;
    Range skin1, skin4, dqs4, skinN, dqsN; // one after the other
    std::vector<std::uint32_t> skin1_joints;
    std::vector<glm::uvec2> skin4_joints; // of skin4, then of dqs4; there the heaviest is the first
    std::vector<glm::vec4> skin4_weights;
    std::vector<std::uint32_t> dqs_instances;                           // of dqs4 and of dqsN
    bool has_morphs = false, has_frames = false, has_positions = false; // among the skinN
    bool has_tangents = false;
    std::vector<shared::SkinNVertex> skinN_vertices; // of both kinds
    std::vector<shared::SkinNInstance> skinN_instances;
    std::vector<shared::InfluenceBlock> blocks;
    std::vector<glm::vec4> influence_positions;
    std::vector<shared::MorphDelta> deltas;
    std::vector<glm::vec4> tangent_deltas; // of each delta; empty without tangents
    std::vector<shared::BindVertex> frame_vertices;

    std::vector<std::uint32_t> indices;
    std::vector<DrawItem> draws; // opaque and masked first, by material; then blended
    std::vector<BlendedTriangle> blended;
    std::vector<BlendedRun> blended_runs;
    std::uint64_t point_count = 0; // that are drawn
    // A bit a vertex: is it part of a primitive? Empty when all are.
    std::vector<std::uint32_t> used;
};

// Throws RenderError when the scene is too large for 32-bit vertex numbers or has nothing to draw.
PackedScene pack(const scene::Scene& scene);

std::uint32_t encode_octahedral(glm::vec3 normal);
glm::vec3 decode_octahedral(std::uint32_t packed);
// Octahedral in 16 and 15 bits, between them the bitangent's sign.
std::uint32_t encode_tangent(glm::vec4 tangent);
glm::vec4 decode_tangent(std::uint32_t packed);

} // namespace vitrine::render
