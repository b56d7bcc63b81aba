#include "loaders/export/dae/dae_libraries.hpp"

#include "loaders/export/dae/dae_text.hpp"

namespace vitrine::exporting {
namespace {

using scene::none;

std::string mesh_id(const scene::Node& node)
{
    return fmt::format("mesh-{}", node.mesh);
}

std::string skin_id(std::size_t node)
{
    return fmt::format("skin-{}", node);
}

bool morphs(const scene::Scene& scene, const scene::Node& node)
{
    return !scene.meshes[node.mesh].morph_targets.empty();
}

void write_morph(const scene::Scene& scene, std::size_t n, const scene::Node& node, DaeText& out)
{
    const scene::Mesh& mesh = scene.meshes[node.mesh];
    std::vector<std::string> targets;
    for (std::size_t t = 0; t < mesh.morph_targets.size(); ++t)
        targets.push_back(fmt::format("mesh-{}-target-{}", node.mesh, t));
    const std::string id = dae_morph_id(n);
    out.line("<controller id=\"{}\"><morph source=\"#{}\" method=\"NORMALIZED\">", id, mesh_id(node));
    out.words(id + "-targets", targets, "IDREF_array", "MORPH_TARGET");
    out.source(id + "-weights", node.morph_weights.empty() ? mesh.morph_weights : node.morph_weights, 1,
               "MORPH_WEIGHT");
    out.line("<targets><input semantic=\"MORPH_TARGET\" source=\"#{0}-targets\"/>"
             "<input semantic=\"MORPH_WEIGHT\" source=\"#{0}-weights\"/></targets></morph></controller>",
             id);
}

void write_weights(const std::string& id, const scene::Influences& influences, DaeText& out)
{
    const std::size_t vertices = influences.first.empty() ? 0 : influences.first.size() - 1;
    out.line("<vertex_weights count=\"{0}\"><input semantic=\"JOINT\" source=\"#{1}-joints\" offset=\"0\"/>"
             "<input semantic=\"WEIGHT\" source=\"#{1}-weights\" offset=\"1\"/>",
             vertices, id);
    out.text() += "<vcount>";
    for (std::size_t v = 0; v < vertices; ++v)
        fmt::format_to(std::back_inserter(out.text()), "{} ", influences.first[v + 1] - influences.first[v]);
    out.text() += "</vcount><v>";
    for (std::size_t i = 0; i < influences.joints.size(); ++i)
        fmt::format_to(std::back_inserter(out.text()), "{} {} ", influences.joints[i], i);
    out.line("</v></vertex_weights>");
}

void write_skin(const scene::Scene& scene, std::size_t n, const scene::Node& node, DaeText& out)
{
    const scene::Skin& skin = scene.skins[node.skin];
    const scene::Influences& influences = scene.meshes[node.mesh].influences;
    std::vector<std::string> joints;
    std::vector<float> binds;
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
        joints.push_back(fmt::format("joint-{}", skin.joints[j]));
        append_rows(skin.inverse_bind[j], binds);
    }
    const std::string id = skin_id(n);
    out.line("<controller id=\"{}\" name=\"{}\"><skin source=\"#{}\">", id, escaped(skin.name),
             morphs(scene, node) ? dae_morph_id(n) : mesh_id(node));
    out.matrix("bind_shape_matrix", glm::mat4(1.0f));
    out.words(id + "-joints", joints, "Name_array", "JOINT");
    out.source(id + "-binds", binds, 16, "TRANSFORM", "float4x4");
    out.source(id + "-weights", influences.weights, 1, "WEIGHT");
    out.line("<joints><input semantic=\"JOINT\" source=\"#{0}-joints\"/>"
             "<input semantic=\"INV_BIND_MATRIX\" source=\"#{0}-binds\"/></joints>",
             id);
    write_weights(id, influences, out);
    out.line("</skin></controller>");
}

} // namespace

void write_dae_controllers(const scene::Scene& scene, DaeText& out)
{
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
        const scene::Node& node = scene.nodes[n];
        if (node.mesh == none) continue;
        if (morphs(scene, node)) write_morph(scene, n, node, out);
        if (node.skin != none) write_skin(scene, n, node, out);
    }
}

std::string dae_morph_id(std::size_t node)
{
    return fmt::format("morph-{}", node);
}

DaeInstance dae_instance(const scene::Scene& scene, std::size_t n)
{
    const scene::Node& node = scene.nodes[n];
    if (node.skin != none) return {"controller", skin_id(n)};
    if (morphs(scene, node)) return {"controller", dae_morph_id(n)};
    return {"geometry", mesh_id(node)};
}

} // namespace vitrine::exporting
