#pragma once
// Clips that bench_pose evaluates.

#include <cstdint>
#include <string>

#include "loaders/scene/scene.hpp"

namespace vitrine::bench {

struct PosedClip {
    std::string name;
    scene::Scene scene;
    std::uint32_t clip = 0;
};

struct ChainOptions {
    double cubic_share = 0.0; // of the tracks
    bool own_times = false;   // key times differ from track to track
};

// 80 joints in chains of ten, each with tracks of about 60 keys for translation, rotation and scale over 4 s,
// and a skin of these joints.
PosedClip chain_clip(std::string name, const ChainOptions& options);

// The longest clip of a .glb, .gltf, .fbx or .md5mesh file. Throws std::runtime_error.
PosedClip longest_clip(const std::string& path);

} // namespace vitrine::bench
