#pragma once
// Which joints of a scene are the bones of a human body.

#include <array>
#include <cstdint>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// One node of the file per bone, or none. Bones of a limb, of the trunk and of a finger are below each other
// in the hierarchy.
struct HumanBoneMap {
    HumanBoneMap() { nodes.fill(none); }

    std::array<std::uint32_t, human_bone_count> nodes; // by HumanBone

    std::uint32_t operator[](HumanBone bone) const { return nodes[static_cast<std::size_t>(bone)]; }
    std::uint32_t& operator[](HumanBone bone) { return nodes[static_cast<std::size_t>(bone)]; }
    // Whether hips, upper and lower arms and legs are known: enough to transfer a motion.
    bool is_humanoid() const;
};

// Finds the bones: those that the file declares (Node::human_bone), else by the names of the joints and their
// place in the hierarchy. Knows the names of Mixamo and HumanIK, the Unreal mannequin, VRM and VRoid, 3ds Max
// Biped, Rigify, KayKit, MakeHuman, DAZ and Poser, CMU's BVH files, Kinect, Second Life, and names like them.
// Joints of skins are preferred to other nodes. Bones that are not found with certainty are none; the trunk
// from the hips to the head is numbered by the hierarchy. Requires a validated scene.
HumanBoneMap find_human_bones(const Scene& scene);

// By node: its bone, or HumanBone::none.
std::vector<HumanBone> bones_by_node(const Scene& scene, const HumanBoneMap& map);

} // namespace vitrine::scene
