#pragma once
// Rasterizes an orthographic view of a pose at low resolution. Pure functions.

#include <span>
#include <vector>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/skinning/skinning.hpp"

namespace vitrine::render {

// Fractions of the viewed square, 0..1.
struct Silhouette {
    float front = 0.0f;  // covered by front faces, lines and points
    float back = 0.0f;   // covered by visible back faces
    float culled = 0.0f; // back faces that are culled, each counted on its own
};

// Unit vectors of the camera: right, up, toward the eye.
struct ViewAxes {
    glm::vec3 right{1.0f, 0.0f, 0.0f};
    glm::vec3 up{0.0f, 1.0f, 0.0f};
    glm::vec3 toward{0.0f, 0.0f, 1.0f};
};
ViewAxes view_axes(float yaw_degrees, float pitch_degrees);

class SilhouettePainter {
public:
    // `meshes`: one per instance; `palette`: that of their pose. The square has sides of 2 * radius around
    // `center`.
    Silhouette paint(const scene::Scene& scene, std::span<const scene::Instance> instances,
                     std::span<const scene::PaletteEntry> palette, std::span<const scene::SkinnedMesh> meshes,
                     const ViewAxes& axes, glm::vec3 center, float radius);

private:
    static constexpr int side = 48;
    struct Pixel {
        float depth; // larger is nearer
        bool back;
    };
    void paint_triangle(const glm::vec3 (&corners)[3], bool culled, bool mirrored);
    void mark(float x, float y, float depth, bool back);

    std::vector<Pixel> pixels_;
    float culled_ = 0.0f; // pixels
};

} // namespace vitrine::render
