#include "server/samples/primitive_shapes.hpp"

#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>

namespace vitrine::samples {

namespace {

void add_quad(MeshShape& shape, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d)
{
    shape.indices.insert(shape.indices.end(), {a, b, c, a, c, d});
}

void add_grid_faces(MeshShape& shape, std::uint32_t base, std::uint32_t columns, std::uint32_t rows)
{
    for (std::uint32_t y = 0; y + 1 < rows; ++y)
        for (std::uint32_t x = 0; x + 1 < columns; ++x) {
            const auto corner = base + y * columns + x;
            add_quad(shape, corner, corner + 1, corner + columns + 1, corner + columns);
        }
}

// Grid coordinate i of one face: the direction across the face, and the side of its middle. The middle point
// occurs twice, once per side, so that the face between is flat.
struct FaceStep {
    float tangent;
    float side;
};

FaceStep face_step(int i, int segments)
{
    const bool upper = i > segments;
    const int step = upper ? i - segments - 1 : i - segments;
    const float angle = 0.25f * pi * static_cast<float>(step) / static_cast<float>(segments);
    return {std::tan(angle), upper ? 1.0f : -1.0f};
}

void add_box_face(MeshShape& shape, const glm::mat3& face, glm::vec3 inner, float radius, int segments)
{
    const int points = 2 * (segments + 1);
    const auto base = static_cast<std::uint32_t>(shape.positions.size());
    for (int y = 0; y < points; ++y)
        for (int x = 0; x < points; ++x) {
            const auto across = face_step(x, segments);
            const auto along = face_step(y, segments);
            const auto direction = face * glm::normalize(glm::vec3(across.tangent, along.tangent, 1.0f));
            const auto corner = face * glm::vec3(across.side, along.side, 1.0f);
            shape.positions.push_back(corner * inner + radius * direction);
            shape.normals.push_back(direction);
            const auto last = static_cast<float>(points - 1);
            shape.uv.emplace_back(static_cast<float>(x) / last, 1.0f - static_cast<float>(y) / last);
        }
    add_grid_faces(shape, base, static_cast<std::uint32_t>(points), static_cast<std::uint32_t>(points));
}

// Outward normal of a profile at point i: perpendicular to its neighbors, ignoring repeated points.
glm::vec2 profile_normal(std::span<const glm::vec2> profile, std::size_t i)
{
    auto before = i;
    auto after = i;
    if (i > 0 && profile[i - 1] != profile[i]) before = i - 1;
    if (i + 1 < profile.size() && profile[i + 1] != profile[i]) after = i + 1;
    const auto along = profile[after] - profile[before];
    const auto length = glm::length(along);
    return length > 0.0f ? glm::vec2(along.y, -along.x) / length : glm::vec2(1.0f, 0.0f);
}

} // namespace

MeshShape rounded_box(glm::vec3 size, float radius, int segments)
{
    const auto inner = 0.5f * size - glm::vec3(radius);
    const glm::vec3 x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
    MeshShape shape;
    for (const auto& face : {glm::mat3(x, y, z), glm::mat3(-x, y, -z), glm::mat3(-z, y, x),
                             glm::mat3(z, y, -x), glm::mat3(x, -z, y), glm::mat3(x, z, -y)})
        add_box_face(shape, face, inner, radius, segments);
    return shape;
}

MeshShape lathe(std::span<const glm::vec2> profile, int segments)
{
    MeshShape shape;
    const auto columns = static_cast<std::uint32_t>(segments + 1);
    for (std::size_t row = 0; row < profile.size(); ++row) {
        const auto normal = profile_normal(profile, row);
        for (std::uint32_t column = 0; column < columns; ++column) {
            const float u = static_cast<float>(column) / static_cast<float>(segments);
            const float s = std::sin(2.0f * pi * u), c = std::cos(2.0f * pi * u);
            shape.positions.emplace_back(profile[row].x * s, profile[row].y, profile[row].x * c);
            shape.normals.push_back(glm::normalize(glm::vec3(normal.x * s, normal.y, normal.x * c)));
            shape.uv.emplace_back(u, 1.0f - static_cast<float>(row) / static_cast<float>(profile.size() - 1));
        }
    }
    add_grid_faces(shape, 0, columns, static_cast<std::uint32_t>(profile.size()));
    return shape;
}

MeshShape sphere(float radius, int segments)
{
    std::vector<glm::vec2> profile;
    const int rows = segments / 2;
    for (int i = 0; i <= rows; ++i) {
        const float angle = pi * static_cast<float>(i) / static_cast<float>(rows);
        profile.emplace_back(radius * std::sin(angle), -radius * std::cos(angle));
    }
    profile.front().x = profile.back().x = 0.0f;
    return lathe(profile, segments);
}

MeshShape cylinder(float radius, float height, float bevel, int segments)
{
    const float h = 0.5f * height;
    std::vector<glm::vec2> profile{{0.0f, -h}, {radius - bevel, -h}};
    for (int i = 0; i <= 4; ++i) {
        const float angle = 0.5f * pi * static_cast<float>(i) / 4.0f;
        profile.emplace_back(radius - bevel + bevel * std::sin(angle), -h + bevel - bevel * std::cos(angle));
    }
    for (int i = 0; i <= 4; ++i) {
        const float angle = 0.5f * pi * static_cast<float>(i) / 4.0f;
        profile.emplace_back(radius - bevel + bevel * std::cos(angle), h - bevel + bevel * std::sin(angle));
    }
    profile.emplace_back(radius - bevel, h);
    profile.emplace_back(0.0f, h);
    return lathe(profile, segments);
}

MeshShape tube(const std::function<glm::vec3(float)>& curve, const std::function<float(float)>& radius,
               int rings, int segments)
{
    MeshShape shape;
    glm::vec3 side(1.0f, 0.0f, 0.0f);
    constexpr float step = 1e-3f;
    for (int ring = 0; ring <= rings; ++ring) {
        const float t = static_cast<float>(ring) / static_cast<float>(rings);
        const auto along = glm::normalize(curve(std::min(t + step, 1.0f)) - curve(std::max(t - step, 0.0f)));
        side = glm::normalize(side -
                              along * glm::dot(side, along)); // parallel transport along the curve: no twist
        const auto other = glm::cross(along, side);
        const float slope = (radius(std::min(t + step, 1.0f)) - radius(std::max(t - step, 0.0f))) /
                            glm::length(curve(std::min(t + step, 1.0f)) - curve(std::max(t - step, 0.0f)));
        for (int i = 0; i <= segments; ++i) {
            const float u = static_cast<float>(i) / static_cast<float>(segments);
            const auto out = side * std::cos(2.0f * pi * u) + other * std::sin(2.0f * pi * u);
            shape.positions.push_back(curve(t) + radius(t) * out);
            shape.normals.push_back(glm::normalize(out - slope * along));
            shape.uv.emplace_back(u, t);
        }
    }
    add_grid_faces(shape, 0, static_cast<std::uint32_t>(segments + 1), static_cast<std::uint32_t>(rings + 1));
    return shape;
}

namespace {

// Where the patch degenerates to a point, uses the normal slightly inside.
glm::vec3 patch_normal(const std::function<glm::vec3(float, float)>& position, float u, float v)
{
    constexpr float step = 1e-3f;
    for (const float inset : {0.0f, 0.01f}) {
        const float s = glm::clamp(u, inset, 1.0f - inset), t = glm::clamp(v, inset, 1.0f - inset);
        const auto across = position(s + step, t) - position(s - step, t);
        const auto along = position(s, t + step) - position(s, t - step);
        const auto normal = glm::cross(across, along);
        if (const float length = glm::length(normal); length > 0.0f) return normal / length;
    }
    return {0.0f, 0.0f, 1.0f};
}

} // namespace

MeshShape patch(const std::function<glm::vec3(float, float)>& position, int columns, int rows)
{
    MeshShape shape;
    for (int y = 0; y <= rows; ++y)
        for (int x = 0; x <= columns; ++x) {
            const float u = static_cast<float>(x) / static_cast<float>(columns);
            const float v = static_cast<float>(y) / static_cast<float>(rows);
            shape.positions.push_back(position(u, v));
            shape.normals.push_back(patch_normal(position, u, v));
            shape.uv.emplace_back(u, 1.0f - v);
        }
    add_grid_faces(shape, 0, static_cast<std::uint32_t>(columns + 1), static_cast<std::uint32_t>(rows + 1));
    return shape;
}

MeshShape transformed(MeshShape shape, const glm::mat4& matrix)
{
    const auto normal_matrix = glm::transpose(glm::inverse(glm::mat3(matrix)));
    for (auto& position : shape.positions)
        position = glm::vec3(matrix * glm::vec4(position, 1.0f));
    for (auto& normal : shape.normals)
        normal = glm::normalize(normal_matrix * normal);
    if (glm::determinant(glm::mat3(matrix)) < 0.0f)
        for (std::size_t i = 0; i + 2 < shape.indices.size(); i += 3)
            std::swap(shape.indices[i + 1], shape.indices[i + 2]);
    return shape;
}

glm::mat4 moved(glm::vec3 by)
{
    return glm::translate(glm::mat4(1.0f), by);
}

glm::mat4 turned(float degrees, glm::vec3 axis)
{
    return glm::rotate(glm::mat4(1.0f), glm::radians(degrees), axis);
}

std::uint32_t ShapeBuilder::append_vertices(const MeshShape& shape)
{
    const auto base = static_cast<std::uint32_t>(mesh_.positions.size());
    mesh_.positions.insert(mesh_.positions.end(), shape.positions.begin(), shape.positions.end());
    mesh_.normals.insert(mesh_.normals.end(), shape.normals.begin(), shape.normals.end());
    mesh_.uv0.insert(mesh_.uv0.end(), shape.uv.begin(), shape.uv.end());
    return base;
}

void ShapeBuilder::append_faces(const MeshShape& shape, std::uint32_t material, std::uint32_t base)
{
    if (by_material_.size() <= material) by_material_.resize(material + 1);
    auto& indices = by_material_[material];
    for (std::size_t i = 0; i + 2 < shape.indices.size(); i += 3) {
        const auto a = shape.indices[i], b = shape.indices[i + 1], c = shape.indices[i + 2];
        if (shape.positions[a] == shape.positions[b] || shape.positions[b] == shape.positions[c] ||
            shape.positions[c] == shape.positions[a])
            continue; // the poles of a lathe
        indices.insert(indices.end(), {base + a, base + b, base + c});
    }
}

void ShapeBuilder::add(const MeshShape& shape, std::uint32_t material)
{
    append_faces(shape, material, append_vertices(shape));
}

void ShapeBuilder::add(const MeshShape& shape, std::uint32_t material, std::uint16_t joint)
{
    add(shape, material, [joint](glm::vec3) { return PointWeights{{joint, 1.0f}}; });
}

void ShapeBuilder::add(const MeshShape& shape, std::uint32_t material,
                       const std::function<PointWeights(glm::vec3)>& weights)
{
    append_faces(shape, material, append_vertices(shape));
    auto& influences = mesh_.influences;
    if (influences.first.empty()) influences.first.push_back(0);
    for (const auto& position : shape.positions) {
        for (const auto& [joint, weight] : weights(position)) {
            influences.joints.push_back(joint);
            influences.weights.push_back(weight);
        }
        influences.first.push_back(static_cast<std::uint32_t>(influences.joints.size()));
    }
}

scene::Mesh ShapeBuilder::finish(std::string name)
{
    for (std::uint32_t material = 0; material < by_material_.size(); ++material) {
        auto& indices = by_material_[material];
        if (indices.empty()) continue;
        mesh_.primitives.push_back({scene::Topology::triangles,
                                    static_cast<std::uint32_t>(mesh_.indices.size()),
                                    static_cast<std::uint32_t>(indices.size()), material});
        mesh_.indices.insert(mesh_.indices.end(), indices.begin(), indices.end());
    }
    mesh_.name = std::move(name);
    by_material_.clear();
    return std::exchange(mesh_, {});
}

} // namespace vitrine::samples
