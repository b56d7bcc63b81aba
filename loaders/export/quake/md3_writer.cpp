#include "loaders/export/quake/md3_writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "loaders/export/material_image.hpp"
#include "loaders/export/png/png.hpp"
#include "loaders/export/quake/frame_baker.hpp"
#include "loaders/export/quake/little_endian.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/motion/file_nodes.hpp"

namespace vitrine::exporting {
namespace {

constexpr double md3_frame_rate = 15.0;
constexpr float steps_per_unit = 64.0f;
constexpr float max_units = 32'767.0f / steps_per_unit;

struct SurfaceData {
    std::size_t instance = 0;
    const scene::Mesh* mesh = nullptr;
    scene::Primitive primitive;
    std::string name;
    std::vector<std::uint32_t> vertices;                 // of the mesh, by vertex of the surface
    std::vector<std::array<std::uint32_t, 3>> triangles; // indices into the surface's vertices
    FileBytes frames;
};

// Numbers the vertices that the primitive uses by first use; front faces are clockwise.
void number_vertices(SurfaceData& surface)
{
    const scene::Mesh& mesh = *surface.mesh;
    std::vector<std::uint32_t> numbers(mesh.positions.size(), scene::none);
    const auto number = [&](std::size_t i) {
        const std::uint32_t vertex = mesh.indices[surface.primitive.first + i];
        if (numbers[vertex] == scene::none) {
            numbers[vertex] = static_cast<std::uint32_t>(surface.vertices.size());
            surface.vertices.push_back(vertex);
        }
        return numbers[vertex];
    };
    for (std::size_t i = 0; i + 2 < surface.primitive.count; i += 3)
        surface.triangles.push_back({number(i), number(i + 2), number(i + 1)});
}

// Angle from the Z axis, then about it from X, in 256ths of a turn.
std::array<std::uint8_t, 2> packed_normal(const glm::vec3& normal)
{
    const auto turns = [](float angle) {
        return static_cast<std::uint8_t>(std::lround(angle * 128.0f / std::numbers::pi_v<float>) & 255);
    };
    const float z = std::clamp(normal.z, -1.0f, 1.0f);
    if (std::abs(z) == 1.0f) return {turns(std::acos(z)), 0};
    return {turns(std::acos(z)), turns(std::atan2(normal.y, normal.x))};
}

class Md3Writer {
public:
    Md3Writer(const scene::Scene& scene, std::string stem)
        : scene_(scene), stem_(std::move(stem)), baker_(scene)
    {
    }

    std::vector<NamedFile> write();

private:
    void find_surfaces();
    void write_frames();
    void write_frame(const FrameTime& time, float scale);
    FileBytes surface_bytes(const SurfaceData& surface) const;
    FileBytes file_bytes() const;

    const scene::Scene& scene_;
    std::string stem_;
    FrameBaker baker_;
    std::vector<FrameTime> times_;
    std::vector<SurfaceData> surfaces_;
    FileBytes frames_;   // bounding boxes and names
    float reach_ = 0.0f; // largest coordinate along an axis in all frames, units
};

void Md3Writer::find_surfaces()
{
    for (std::size_t i = 0; i < baker_.instances().size(); ++i) {
        const auto& instance = baker_.instances()[i];
        const scene::Mesh& mesh = scene_.meshes[instance.mesh];
        for (const auto& primitive : mesh.primitives) {
            if (primitive.topology != scene::Topology::triangles) continue;
            SurfaceData& surface = surfaces_.emplace_back();
            surface.instance = i;
            surface.mesh = &mesh;
            surface.primitive = primitive;
            surface.name = fmt::format("{}_{}", scene_.nodes[scene::file_node(scene_, instance.node)].name,
                                       surfaces_.size() - 1);
            number_vertices(surface);
        }
    }
}

// Repeats with fewer units per meter when the model exceeds 16 bits.
void Md3Writer::write_frames()
{
    float scale = md3_units_per_meter;
    for (;;) {
        frames_.clear();
        reach_ = 0.0f;
        for (SurfaceData& surface : surfaces_)
            surface.frames.clear();
        for (const FrameTime& time : times_)
            write_frame(time, scale);
        if (reach_ <= max_units) return;
        scale *= 0.999f * max_units / reach_;
    }
}

void Md3Writer::write_frame(const FrameTime& time, float scale)
{
    const auto meshes = baker_.bake(time);
    scene::Aabb box;
    float radius = 0.0f;
    for (SurfaceData& surface : surfaces_) {
        const auto& mesh = meshes[surface.instance];
        for (const std::uint32_t vertex : surface.vertices) {
            const glm::vec3 position = mesh.positions[vertex] * scale;
            box.add(position);
            radius = std::max(radius, glm::length(position));
            for (int i = 0; i < 3; ++i) {
                reach_ = std::max(reach_, std::abs(position[i]));
                const float coordinate = std::clamp(position[i], -max_units, max_units);
                append(surface.frames, static_cast<std::int16_t>(std::lround(coordinate * steps_per_unit)));
            }
            append(surface.frames, packed_normal(mesh.normals[vertex]));
        }
    }
    append(frames_, box.empty() ? glm::vec3(0.0f) : box.min);
    append(frames_, box.empty() ? glm::vec3(0.0f) : box.max);
    append(frames_, glm::vec3(0.0f));
    append(frames_, radius);
    const bool moves = time.clip != scene::none;
    append_text(frames_,
                moves ? fmt::format("{}{:02}", scene_.clips[time.clip].name.substr(0, 10), time.number + 1)
                      : "rest",
                16);
}

FileBytes Md3Writer::surface_bytes(const SurfaceData& surface) const
{
    constexpr std::size_t header = 108, shader = 68;
    const std::size_t shaders_at = header + 12 * surface.triangles.size();
    const std::size_t coords_at = shaders_at + shader, vertices_at = coords_at + 8 * surface.vertices.size();
    const auto material = surface.primitive.material;
    FileBytes bytes = to_bytes("IDP3");
    append_text(bytes, surface.name, 64);
    append_words(bytes, {0, times_.size(), 1, surface.vertices.size(), surface.triangles.size(), header,
                         shaders_at, coords_at, vertices_at, vertices_at + surface.frames.size()});
    for (const auto& triangle : surface.triangles)
        append(bytes, triangle);
    append_text(bytes, material == scene::none ? std::string("default") : scene_.materials[material].name,
                64);
    append_words(bytes, {0});
    for (const std::uint32_t vertex : surface.vertices)
        append(bytes, surface.mesh->uv0.empty() ? glm::vec2(0.0f) : surface.mesh->uv0[vertex]);
    bytes.insert(bytes.end(), surface.frames.begin(), surface.frames.end());
    return bytes;
}

FileBytes Md3Writer::file_bytes() const
{
    constexpr std::size_t header = 108;
    FileBytes surfaces;
    for (const SurfaceData& surface : surfaces_) {
        const FileBytes bytes = surface_bytes(surface);
        surfaces.insert(surfaces.end(), bytes.begin(), bytes.end());
    }
    const std::size_t surfaces_at = header + frames_.size();
    FileBytes file = to_bytes("IDP3");
    append_words(file, {15});
    append_text(file, stem_, 64);
    append_words(file, {0, times_.size(), 0, surfaces_.size(), 0, header, surfaces_at, surfaces_at,
                        surfaces_at + surfaces.size()});
    file.insert(file.end(), frames_.begin(), frames_.end());
    file.insert(file.end(), surfaces.begin(), surfaces.end());
    return file;
}

std::vector<NamedFile> Md3Writer::write()
{
    times_ = frame_times(scene_, md3_frame_rate);
    find_surfaces();
    write_frames();
    std::vector<NamedFile> files{{stem_ + ".md3", file_bytes()}};
    for (const auto& material : scene_.materials)
        files.push_back({material.name + ".png", write_png(material_image(scene_, material))});
    return files;
}

} // namespace

std::vector<NamedFile> write_md3(const scene::Scene& scene, const std::string& stem)
{
    if (const auto shaded = scene::with_normals(scene)) return write_md3(*shaded, stem);
    return Md3Writer(scene, stem).write();
}

} // namespace vitrine::exporting
