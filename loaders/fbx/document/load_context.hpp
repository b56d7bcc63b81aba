#pragma once
// Data passed between the steps of a load, in order: materials, nodes (transforms), meshes with skins and
// blend shapes, clips, and last the conversion to scene space.

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

// Maps from objects to scene indices; scene::none where an object has no counterpart. Both have an entry per
// object.
struct NodeMap {
    std::vector<std::uint32_t> node_of; // a model's node; used for joints and animation
    // The node with the model's drawable content: the model's own node, or a child with the geometric
    // transform.
    std::vector<std::uint32_t> drawing_node_of;
};

// A blend channel and its morph targets: target i has full weight at full_weights[i] percent. Targets are
// sorted by ascending full weight.
struct MorphChannel {
    std::uint32_t channel = no_object;
    std::uint32_t first_target = 0;
    std::vector<double> full_weights;
};

// A joint of a skin that follows its link relative to another model. Its matrix is mesh * start *
// inverse(associate) * link, where mesh, associate and link are node matrices.
struct AssociateJoint {
    std::uint32_t skin = 0;                          // index into Scene::skins
    std::uint32_t slot = 0;                          // index into Skin::joints
    std::uint32_t mesh = 0, associate = 0, link = 0; // scene nodes
    glm::dmat4 start{1.0};
};

// Names of the sets that are read, by number of the Scene's set; empty: none.
using UvNames = std::array<std::string, scene::max_uv_sets>;

// All members except `associates` are indexed by scene mesh.
struct MeshMap {
    std::vector<std::vector<MorphChannel>> channels;
    std::vector<std::vector<double>> frame_times; // of VertexFrames, on the file's time line, seconds
    std::vector<std::vector<UvNames>> uv_sets;    // by primitive
    std::vector<AssociateJoint> associates;
};

} // namespace vitrine::fbx
