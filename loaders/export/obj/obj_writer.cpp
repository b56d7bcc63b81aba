#include "loaders/export/obj/obj_writer.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "loaders/export/png/png.hpp"
#include "loaders/export/srgb_color.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/skinning/skinner.hpp"

namespace vitrine::exporting {

namespace {

using scene::none;

std::back_insert_iterator<std::string> end_of(std::string& text)
{
    return std::back_inserter(text);
}

// Many readers end names at white space.
std::string word(std::string name)
{
    std::ranges::replace_if(name, [](unsigned char c) { return c <= ' '; }, '_');
    return name.empty() ? "unnamed" : name;
}

void write_vertices(std::string& text, const scene::Mesh& mesh, const scene::SkinnedMesh& skinned)
{
    for (const auto& p : skinned.positions)
        fmt::format_to(end_of(text), "v {} {} {}\n", p.x, p.y, p.z);
    for (const auto& n : skinned.normals)
        fmt::format_to(end_of(text), "vn {} {} {}\n", n.x, n.y, n.z);
    for (const auto& uv : mesh.uv0)
        fmt::format_to(end_of(text), "vt {} {}\n", uv.x, 1.0f - uv.y);
}

struct Base {
    std::uint64_t position = 1, uv = 1; // OBJ indices start at 1 and continue over the whole file
};

void write_faces(std::string& text, const scene::Scene& scene, const scene::Mesh& mesh, Base base)
{
    const auto corner = [&](std::uint32_t index) {
        const auto at = base.position + index;
        if (mesh.uv0.empty())
            fmt::format_to(end_of(text), " {0}//{0}", at);
        else
            fmt::format_to(end_of(text), " {0}/{1}/{0}", at, base.uv + index);
    };
    for (const auto& primitive : mesh.primitives) {
        if (primitive.topology != scene::Topology::triangles) continue;
        if (primitive.material != none)
            fmt::format_to(end_of(text), "usemtl {}\n", word(scene.materials[primitive.material].name));
        for (auto i = primitive.first; i + 2 < primitive.first + primitive.count; i += 3) {
            text += 'f';
            for (std::uint32_t c = 0; c < 3; ++c)
                corner(mesh.indices[i + c]);
            text += '\n';
        }
    }
}

std::string write_objects(const scene::Scene& scene, const std::string& stem)
{
    auto text = fmt::format("# Vitrine\nmtllib {}.mtl\n", stem);
    scene::Pose pose;
    scene::static_pose(scene, pose);
    scene::Skinner skinner(scene);
    const auto meshes = skinner.skin(pose);
    Base base;
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        const auto& instance = skinner.instances()[i];
        const auto& mesh = scene.meshes[instance.mesh];
        fmt::format_to(end_of(text), "o {}\n",
                       word(scene.nodes[scene::file_node(scene, instance.node)].name));
        write_vertices(text, mesh, meshes[i]);
        write_faces(text, scene, mesh, base);
        base.position += mesh.positions.size();
        base.uv += mesh.uv0.size();
    }
    return text;
}

std::string image_file_name(const std::string& stem, std::uint32_t image)
{
    return fmt::format("{}_{}.png", stem, image);
}

std::string write_materials(const scene::Scene& scene, const std::string& stem)
{
    std::string text = "# Vitrine\n";
    for (const auto& material : scene.materials) {
        const auto& c = material.base_color;
        const auto& e = material.emissive;
        fmt::format_to(end_of(text), "newmtl {}\nKd {} {} {}\nd {}\nPr {}\nPm {}\n", word(material.name),
                       to_srgb(c.x), to_srgb(c.y), to_srgb(c.z), c.w, material.roughness, material.metallic);
        if (e != glm::vec3(0))
            fmt::format_to(end_of(text), "Ke {} {} {}\n", to_srgb(e.x), to_srgb(e.y), to_srgb(e.z));
        const auto image = material.base_color_texture.image;
        if (image == none || scene.images[image].pixels.empty()) continue;
        fmt::format_to(end_of(text), "map_Kd {}\n", image_file_name(stem, image));
        if (material.alpha_mode != scene::AlphaMode::opaque)
            fmt::format_to(end_of(text), "map_d {}\n", image_file_name(stem, image));
    }
    return text;
}

} // namespace

std::vector<NamedFile> write_obj(const scene::Scene& scene, const std::string& stem)
{
    if (const auto shaded = scene::with_normals(scene)) return write_obj(*shaded, stem);
    std::vector<NamedFile> files{{stem + ".obj", to_bytes(write_objects(scene, stem))},
                                 {stem + ".mtl", to_bytes(write_materials(scene, stem))}};
    for (std::uint32_t i = 0; i < scene.images.size(); ++i)
        if (!scene.images[i].pixels.empty())
            files.push_back({image_file_name(stem, i), write_png(scene.images[i])});
    return files;
}

} // namespace vitrine::exporting
