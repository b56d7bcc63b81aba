#pragma once
// The sample library on disk: each model of models.hpp in every format that supports it.

#include <filesystem>
#include <string>
#include <vector>

#include "loaders/export/named_file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::samples {

struct Sample {
    std::string name;
    scene::Scene (*make)();
};
const std::vector<Sample>& all_samples();

// One model in one format: its files, to be uploaded together.
struct SampleFile {
    std::string folder;    // "robot-md5"
    std::string main_name; // "robot.md5mesh"
    std::vector<exporting::NamedFile> files;
};
// Writes every format that can represent the scene: GLB, glTF, COLLADA and FBX; OBJ as its static pose, 3DS
// with the clip of its nodes; MD2 and MD3 as whole-mesh frames; MD5 for skinned and static models (not the
// flag, which has morph targets).
std::vector<SampleFile> write_formats(const std::string& name, const scene::Scene& scene);

// The formats that hold a part of a model: the robot's clips without a mesh, each as a BVH ("walk-bvh"), and
// the vase's shape as PLY and STL; and those of characters: VRM 1.0 and 0.x, VRMA.
std::vector<SampleFile> write_partial_formats();

// Writes DIR/robot-glb/robot.glb, DIR/robot-md5/robot.md5mesh ... and returns the main files. Throws
// std::filesystem::filesystem_error or std::runtime_error when it cannot write.
std::vector<std::filesystem::path> write_samples(const std::filesystem::path& folder);

} // namespace vitrine::samples
