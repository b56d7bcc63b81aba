#pragma once
// Building blocks of the sample models: closed shapes with normals and texture coordinates, combined into one
// mesh with a material and skin weights per shape. Meters, Y up, counter-clockwise front faces.

#include <cstdint>
#include <functional>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::samples {

inline constexpr float pi = std::numbers::pi_v<float>;

struct MeshShape {
    std::vector<glm::vec3> positions;
    std::vector<glm::vec3> normals;
    std::vector<glm::vec2> uv;
    std::vector<std::uint32_t> indices;
};

// A box with rounded edges, centered at the origin; radius below half the smallest side.
MeshShape rounded_box(glm::vec3 size, float radius, int segments = 3);
// A surface of revolution about Y: profile points are (radius, height), from bottom to top for outward
// normals. Smooth along the profile; repeat a point for a hard edge. u goes around, v from the first point
// (1) to the last (0).
MeshShape lathe(std::span<const glm::vec2> profile, int segments = 32);
MeshShape sphere(float radius, int segments = 24);
MeshShape cylinder(float radius, float height, float bevel, int segments = 28);
// A tube along a curve; radius(t) with t from 0 to 1. Ends are closed if the radius goes to 0, else open.
MeshShape tube(const std::function<glm::vec3(float)>& curve, const std::function<float(float)>& radius,
               int rings, int segments);
// A parametric surface over [0,1]^2: position(u, v); normals from finite differences. Front faces point along
// du x dv.
MeshShape patch(const std::function<glm::vec3(float, float)>& position, int columns, int rows);

MeshShape transformed(MeshShape shape, const glm::mat4& matrix);
glm::mat4 moved(glm::vec3 by);
glm::mat4 turned(float degrees, glm::vec3 axis);

using PointWeights = std::vector<std::pair<std::uint16_t, float>>;

// Collects shapes into one mesh, one primitive per material.
class ShapeBuilder {
public:
    void add(const MeshShape& shape, std::uint32_t material);
    void add(const MeshShape& shape, std::uint32_t material, std::uint16_t joint);
    void add(const MeshShape& shape, std::uint32_t material,
             const std::function<PointWeights(glm::vec3)>& weights);
    // Returns the mesh and clears the builder.
    scene::Mesh finish(std::string name);

private:
    std::uint32_t append_vertices(const MeshShape& shape);
    void append_faces(const MeshShape& shape, std::uint32_t material, std::uint32_t base);

    scene::Mesh mesh_;
    std::vector<std::vector<std::uint32_t>> by_material_;
};

} // namespace vitrine::samples
