#pragma once
// The sample library on disk: each model of models.hpp in every format that can say it.

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

// One model in one format: its files, ready to upload together.
struct SampleFile {
    std::string folder;    // "robot-md5"
    std::string main_name; // "robot.md5mesh"
    std::vector<exporting::NamedFile> files;
};
// Every format that can hold the scene: GLB, glTF, COLLADA and FBX; OBJ as its static pose, 3DS with the clip
// of its nodes; MD2 and MD3 as frames of whole meshes; MD5 where a skin moves it or nothing does (not the
// flag, which moves by morph targets).
std::vector<SampleFile> write_formats(const std::string& name, const scene::Scene& scene);

// Writes DIR/robot-glb/robot.glb, DIR/robot-md5/robot.md5mesh ... and returns the main files. Throws
// std::filesystem::filesystem_error or std::runtime_error when it cannot write.
std::vector<std::filesystem::path> write_samples(const std::filesystem::path& folder);

} // namespace vitrine::samples
