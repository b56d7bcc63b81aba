// Writes the grid as MD2, MD3 and MD5, Z up and with clockwise front faces as in those formats. Little-endian
// machines only.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>
#include <vector>

#include "loaders/base/quake_normals.hpp"
#include "tests/bench/loaders/file.hpp"
#include "tests/bench/loaders/grid.hpp"

namespace vitrine::bench {
namespace {

template <class T>
void put(std::string& out, const T& value)
{
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_words(std::string& out, std::initializer_list<std::size_t> words)
{
    for (const std::size_t word : words)
        put(out, static_cast<std::uint32_t>(word));
}

std::string name(std::string_view text, std::size_t size)
{
    std::string out(text);
    out.resize(size, '\0');
    return out;
}

glm::vec3 z_up(const glm::vec3& p)
{
    return {p.x, -p.z, p.y};
}

// The nearest direction of MD2's normal table.
std::uint8_t md2_normal(const glm::vec3& normal)
{
    const auto nearest = std::ranges::max_element(
        quake_normals, {}, [&](const glm::vec3& direction) { return glm::dot(direction, normal); });
    return static_cast<std::uint8_t>(nearest - quake_normals.begin());
}

// In 256ths of a turn.
std::uint8_t md3_angle(float radians)
{
    return static_cast<std::uint8_t>(std::lround(radians * 128 / std::numbers::pi_v<float>));
}

} // namespace

// Indices have 16 bits and positions 8 bits per coordinate, so the grid is smaller and animated instead.
void write_md2(const Grid& whole, const std::filesystem::path& path)
{
    constexpr int max_side = 181, frames = 32;
    constexpr std::size_t header_bytes = 68, coord_bytes = 4, triangle_bytes = 12;
    const Grid grid{std::min(whole.side, max_side)};
    const auto vertices = static_cast<std::size_t>(grid.vertices());
    const auto triangles = static_cast<std::size_t>(grid.triangles());
    const std::size_t frame_bytes = 40 + 4 * vertices, coords_at = header_bytes;
    const std::size_t triangles_at = coords_at + coord_bytes * vertices;
    const std::size_t frames_at = triangles_at + triangle_bytes * triangles;
    const std::size_t commands_at = frames_at + frame_bytes * frames, end = commands_at + 4;
    std::string out = "IDP2";
    put_words(out, {8, 256, 256, frame_bytes, 0, vertices, vertices, triangles, 1, frames, coords_at,
                    coords_at, triangles_at, frames_at, commands_at, end});
    for (int i = 0; i < grid.vertices(); ++i)
        for (const float part : {grid.uv(i).x, grid.uv(i).y})
            put(out, static_cast<std::int16_t>(part * 256));
    grid.each_triangle([&](int a, int b, int c) {
        for (int turn = 0; turn < 2; ++turn)
            for (const int corner : {a, c, b})
                put(out, static_cast<std::uint16_t>(corner));
    });
    std::vector<std::uint8_t> normals;
    for (int i = 0; i < grid.vertices(); ++i)
        normals.push_back(md2_normal(z_up(grid.normal(i))));
    for (int f = 0; f < frames; ++f) {
        const glm::vec3 scale(100.0f / 255, 100.0f / 255, 10.0f / 255), from(-50, -50, -5);
        put(out, scale);
        put(out, from);
        out += name(fmt::format("run{}", f + 1), 16);
        for (int i = 0; i < grid.vertices(); ++i) {
            const auto place = (z_up(grid.position(i)) - from) / scale;
            for (const float part : {place.x, place.y, place.z * static_cast<float>(f + 1) / frames})
                put(out, static_cast<std::uint8_t>(std::clamp(part, 0.0f, 255.0f)));
            put(out, normals[static_cast<std::size_t>(i)]);
        }
    }
    put_words(out, {0}); // end of the command list
    OutFile(path).write(out);
}

void write_md3(const Grid& grid, const std::filesystem::path& path)
{
    constexpr std::size_t header_bytes = 108, frame_bytes = 56, surface_bytes = 108, shader_bytes = 68;
    const auto vertices = static_cast<std::size_t>(grid.vertices());
    const auto triangles = static_cast<std::size_t>(grid.triangles());
    const std::size_t triangles_at = surface_bytes + shader_bytes, coords_at = triangles_at + 12 * triangles;
    const std::size_t places_at = coords_at + 8 * vertices, surface_end = places_at + 8 * vertices;
    const std::size_t surfaces_at = header_bytes + frame_bytes;
    std::string out = "IDP3";
    put_words(out, {15});
    out += name("grid", 64);
    put_words(out, {0, 1, 0, 1, 0, header_bytes, surfaces_at, surfaces_at, surfaces_at + surface_end});
    for (const float part : {-50.0f, -50.0f, -5.0f, 50.0f, 50.0f, 5.0f, 0.0f, 0.0f, 0.0f, 71.0f})
        put(out, part);
    out += name("frame", 16) + "IDP3" + name("grid", 64);
    put_words(out,
              {0, 1, 1, vertices, triangles, triangles_at, surface_bytes, coords_at, places_at, surface_end});
    out += name("grid", 64);
    put_words(out, {0});
    grid.each_triangle([&](int a, int b, int c) {
        for (const int corner : {a, c, b})
            put(out, static_cast<std::uint32_t>(corner));
    });
    for (int i = 0; i < grid.vertices(); ++i)
        put(out, grid.uv(i));
    for (int i = 0; i < grid.vertices(); ++i) {
        const auto p = z_up(grid.position(i)) * 64.0f;
        for (const float part : {p.x, p.y, p.z})
            put(out, static_cast<std::int16_t>(part));
        const auto n = z_up(grid.normal(i));
        put(out, md3_angle(std::acos(n.z)));
        put(out, md3_angle(std::atan2(n.y, n.x)));
    }
    OutFile(path).write(out);
}

void write_md5(const Grid& grid, const std::filesystem::path& path)
{
    OutFile out(path);
    out.write(
        "MD5Version 10\ncommandline \"\"\n\nnumJoints 1\nnumMeshes 1\n\njoints {\n\t\"origin\"\t-1 ( 0 0 "
        "0 ) ( 0 0 0 )\n}\n\nmesh {\n\tshader \"grid\"\n\n");
    out.print_once("\tnumverts {}\n", grid.vertices());
    for (int i = 0; i < grid.vertices(); ++i)
        out.print(FMT_COMPILE("\tvert {} ( {:.6f} {:.6f} ) {} 1\n"), i, grid.uv(i).x, grid.uv(i).y, i);
    out.print_once("\n\tnumtris {}\n", grid.triangles());
    int triangle = 0;
    grid.each_triangle(
        [&](int a, int b, int c) { out.print(FMT_COMPILE("\ttri {} {} {} {}\n"), triangle++, a, c, b); });
    out.print_once("\n\tnumweights {}\n", grid.vertices());
    for (int i = 0; i < grid.vertices(); ++i) {
        const auto p = z_up(grid.position(i));
        out.print(FMT_COMPILE("\tweight {} 0 1.000000 ( {:.6f} {:.6f} {:.6f} )\n"), i, p.x, p.y, p.z);
    }
    out.write("}\n");
}

} // namespace vitrine::bench
