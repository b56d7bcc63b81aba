#pragma once
// A COLLADA file seen through its own camera: the silhouette that the program which drew a reference picture
// of it must have seen.

#include <filesystem>
#include <optional>
#include <string>

#include "loaders/scene/scene.hpp"
#include "tests/corpus/silhouette_mask.hpp"

namespace vitrine::test {

struct DaeCamera {
    std::string node;                    // its name in the scene
    bool orthographic = false;           // then the scales are 1 / (half the view in meters)
    double x_scale = 0.0, y_scale = 0.0; // of the projection; 0: by the picture's shape
    double near = 0.0, far = 0.0;        // meters
    glm::mat3 axes{1.0f};                // of its file: it looks along the file's -z
};

struct DaeView {
    scene::Scene scene;
    DaeCamera camera;
};

// None where the file does not load or instantiates no camera. The Conformance Test Suite draws through the
// node `testCamera` where there is one; else the first camera counts.
std::optional<DaeView> open_dae_view(const std::filesystem::path& file);

// The first clip at a time of the file, in seconds, held at its ends; the static pose where there is none.
Mask draw(const DaeView& view, double time, int width, int height);

} // namespace vitrine::test
