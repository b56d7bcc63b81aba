#pragma once
// What the steps of an import hand to each other. In this order: materials, nodes (transforms), meshes with
// their skins and blend shapes, clips, and last the change of space.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "loaders/fbx/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {

struct LoadContext {
    const Document& document;
    Source& source;
    const Limits& limits;
    io::WarningLog& warnings;
    scene::Scene& scene;
};

// From objects to scene indices; scene::none where there is none. Both have an entry for each object.
struct NodeMap {
    std::vector<std::uint32_t> node_of; // a model's node; joints and animation go by it
    // The node at which what the model shows stands: its own, or a child with the geometric transform.
    std::vector<std::uint32_t> drawing_node_of;
};

// A blend channel and the morph targets that it moves: target i is wholly shown at full_weights[i] percent.
// Targets stand in ascending order of their weight.
struct MorphChannel {
    std::uint32_t channel = no_object;
    std::uint32_t first_target = 0;
    std::vector<double> full_weights;
};

// A joint of a skin that moves as its link does seen from another model: its matrix is that of the node
// `mesh` times start times inverse(associate) times link.
struct AssociateJoint {
    std::uint32_t skin = 0;                          // of the scene
    std::uint32_t slot = 0;                          // of Skin::joints
    std::uint32_t mesh = 0, associate = 0, link = 0; // nodes
    glm::dmat4 start{1.0};
};

// Of the sets that are uv0 and uv1.
using UvNames = std::array<std::string, 2>;

// All but `associates` by scene mesh.
struct MeshMap {
    std::vector<std::vector<MorphChannel>> channels;
    std::vector<std::vector<double>> frame_times; // of VertexFrames on the file's time line, seconds
    std::vector<std::vector<UvNames>> uv_sets;    // by primitive
    std::vector<AssociateJoint> associates;
};

// The weights of a channel's targets at a DeformPercent: between two neighbours in `full_weights`, of which 0
// is one, the shape goes from the one to the other; beyond the last it goes on in the same direction.
void ramp_weights(std::span<const double> full_weights, double percent, std::span<float> weights);

} // namespace vitrine::fbx
