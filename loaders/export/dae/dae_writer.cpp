#include "loaders/export/dae/dae_writer.hpp"

#include <algorithm>

#include "loaders/export/dae/dae_libraries.hpp"
#include "loaders/export/dae/dae_text.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/uv_sets.hpp"

namespace vitrine::exporting {
namespace {

using scene::none;

class DaeWriter {
public:
    DaeWriter(const scene::Scene& scene, const std::string& stem) : scene_(scene), stem_(stem) {}

    std::vector<NamedFile> run()
    {
        out_.line("<?xml version=\"1.0\" encoding=\"utf-8\"?>");
        out_.line("<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">");
        out_.line("<asset><contributor><authoring_tool>Vitrine</authoring_tool></contributor>"
                  "<unit name=\"metre\" meter=\"1\"/><up_axis>Y_UP</up_axis></asset>");
        write_dae_materials(scene_, stem_, out_, files_);
        out_.section("library_geometries", [&] { write_dae_geometries(scene_, out_); });
        out_.section("library_controllers", [&] { write_dae_controllers(scene_, out_); });
        write_dae_animations(scene_, out_);
        out_.line("<library_visual_scenes><visual_scene id=\"scene\">");
        write_nodes(none);
        out_.line(
            "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#scene\"/></scene>");
        out_.line("</COLLADA>");
        files_.insert(files_.begin(), {stem_ + ".dae", to_bytes(out_.text())});
        return std::move(files_);
    }

private:
    void write_nodes(std::uint32_t parent)
    {
        for (std::uint32_t n = parent == none ? 0 : parent + 1; n < scene_.nodes.size(); ++n) {
            const scene::Node& node = scene_.nodes[n];
            if (node.parent != parent) continue;
            out_.line("<node id=\"node-{0}\" sid=\"joint-{0}\" name=\"{1}\" type=\"{2}\">", n,
                      escaped(node.name), is_joint(n) ? "JOINT" : "NODE");
            out_.matrix("matrix", node.matrix ? *node.matrix : scene::to_matrix(node.local));
            if (node.mesh != none) write_instance(n, node);
            write_nodes(n);
            if (!node.visible)
                out_.line(
                    "<extra><technique profile=\"FCOLLADA\"><visibility>0</visibility></technique></extra>");
            out_.line("</node>");
        }
    }

    bool is_joint(std::uint32_t node) const
    {
        return std::ranges::any_of(scene_.skins, [&](const scene::Skin& skin) {
            return std::ranges::find(skin.joints, node) != skin.joints.end();
        });
    }

    // Writes the topmost joints as <skeleton>s. Without them a reader may search the whole scene, but not all
    // do.
    void write_skeletons(const scene::Skin& skin)
    {
        const auto holds = [&](std::uint32_t node) {
            return std::ranges::find(skin.joints, node) != skin.joints.end();
        };
        for (const std::uint32_t joint : skin.joints) {
            std::uint32_t above = scene_.nodes[joint].parent;
            while (above != none && !holds(above))
                above = scene_.nodes[above].parent;
            if (above == none) out_.line("<skeleton>#node-{}</skeleton>", joint);
        }
    }

    void write_instance(std::uint32_t n, const scene::Node& node)
    {
        const auto [kind, id] = dae_instance(scene_, n);
        out_.line("<instance_{} url=\"#{}\">", kind, id);
        if (node.skin != none) write_skeletons(scene_.skins[node.skin]);
        std::vector<std::uint32_t> bound;
        for (const scene::Primitive& primitive : scene_.meshes[node.mesh].primitives)
            if (primitive.material != none && std::ranges::find(bound, primitive.material) == bound.end())
                bound.push_back(primitive.material);
        const auto uv_sets = std::max(2u, scene::uv_set_count(scene_.meshes[node.mesh]));
        if (!bound.empty()) out_.line("<bind_material><technique_common>");
        for (const std::uint32_t m : bound) {
            out_.line("<instance_material symbol=\"m{0}\" target=\"#material-{0}\">", m);
            for (std::uint32_t set = 0; set < uv_sets; ++set)
                out_.line(
                    "<bind_vertex_input semantic=\"UV{0}\" input_semantic=\"TEXCOORD\" input_set=\"{0}\"/>",
                    set);
            out_.line("</instance_material>");
        }
        if (!bound.empty()) out_.line("</technique_common></bind_material>");
        out_.line("</instance_{}>", kind);
    }

    const scene::Scene& scene_;
    const std::string& stem_;
    DaeText out_;
    std::vector<NamedFile> files_;
};

} // namespace

std::vector<NamedFile> write_dae(const scene::Scene& scene, const std::string& stem)
{
    if (const auto shaded = scene::with_normals(scene)) return write_dae(*shaded, stem);
    return DaeWriter(scene, stem).run();
}

} // namespace vitrine::exporting
