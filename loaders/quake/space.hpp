#pragma once
// The coordinate space of id's formats.

#include "loaders/io/text/warning_log.hpp"
#include "loaders/scene/geometry/geometry.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::quake {

// From file to scene space: x' = x, y' = z, z' = -y, so that id's Z up becomes Y up; the models face +X.
// Columns are the images of the file's axes.
inline scene::FileSpace file_space()
{
    return {.axes = glm::mat3(1, 0, 0, 0, 0, -1, 0, 1, 0), .unit_meters = 1.0, .front = {1.0f, 0.0f, 0.0f}};
}

// Converts a complete scene to scene space and stores its warnings.
inline void finish(scene::Scene& scene, io::WarningLog& warnings)
{
    scene::convert_to_scene_space(scene, file_space());
    scene.warnings = warnings.take();
}

} // namespace vitrine::quake
