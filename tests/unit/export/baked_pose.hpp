#pragma once
// Meshes baked at one time, and values in the bytes of a file.

#include <cstring>
#include <string>

#include "loaders/export/obj/baked_mesh.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::test {

inline BakedMesh bake(const scene::Scene& scene, BakeSpace space = BakeSpace::scene)
{
    scene::Pose pose;
    scene::static_pose(scene, pose);
    return bake_mesh(scene, pose, space).value();
}

inline BakedMesh bake(const scene::Scene& scene, double time, BakeSpace space = BakeSpace::scene)
{
    scene::Pose pose;
    scene::sample_pose(scene, 0, time, pose);
    return bake_mesh(scene, pose, space).value();
}

template <class T>
T at(const std::string& bytes, std::size_t offset)
{
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

} // namespace vitrine::test
