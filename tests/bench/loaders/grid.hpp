#pragma once
// The measured model: a hilly square of side * side vertices with normals and texture coordinates, two
// triangles per cell. Each generator writes it in one format; reading it back must give the same number of
// triangles.

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>

#include <glm/glm.hpp>

namespace vitrine::bench {

struct Grid {
    int side = 2;

    int vertices() const { return side * side; }
    int triangles() const { return 2 * (side - 1) * (side - 1); }

    glm::vec2 uv(int index) const
    {
        const auto part = [&](int i) { return static_cast<float>(i) / static_cast<float>(side - 1); };
        return {part(index % side), part(index / side)};
    }
    glm::vec3 position(int index) const
    {
        const auto at = uv(index);
        return {at.x * 100 - 50, std::sin(at.x * 9) * std::cos(at.y * 7) * 5, at.y * 100 - 50};
    }
    glm::vec3 normal(int index) const
    {
        const auto at = uv(index);
        return glm::normalize(glm::vec3(-std::cos(at.x * 9) * 0.4f, 0.8f, std::sin(at.y * 7) * 0.4f));
    }

    // Visits each triangle of the cell rows [first, end) as three vertex indices.
    template <class Visit>
    void each_triangle(int first, int end, Visit visit) const
    {
        for (int y = first; y < end; ++y) {
            for (int x = 0; x + 1 < side; ++x) {
                const int a = y * side + x, b = a + 1, c = a + side, d = c + 1;
                visit(a, c, d);
                visit(a, d, b);
            }
        }
    }
    template <class Visit>
    void each_triangle(Visit visit) const
    {
        each_triangle(0, side - 1, visit);
    }
};

// Throws std::runtime_error on write errors.
void write_obj(const Grid& grid, const std::filesystem::path& path);
void write_fbx_ascii(const Grid& grid, const std::filesystem::path& path);
void write_dae(const Grid& grid, const std::filesystem::path& path);
void write_glb(const Grid& grid, const std::filesystem::path& path);
void write_glb_without_normals(const Grid& grid, const std::filesystem::path& path);
void write_fbx_binary(const Grid& grid, const std::filesystem::path& path); // deflated arrays
void write_3ds(const Grid& grid, const std::filesystem::path& path); // objects of at most 65,535 vertices
void write_md2(const Grid& grid, const std::filesystem::path& path); // side at most 181, in 32 frames
void write_md3(const Grid& grid, const std::filesystem::path& path);
void write_md5(const Grid& grid, const std::filesystem::path& path); // one joint

} // namespace vitrine::bench
