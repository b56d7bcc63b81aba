#include "loaders/gltf/gltf.hpp"

#include "loaders/gltf/animation/animations.hpp"
#include "loaders/gltf/document/container.hpp"
#include "loaders/gltf/document/document.hpp"
#include "loaders/gltf/document/fields.hpp"
#include "loaders/gltf/document/meshopt.hpp"
#include "loaders/gltf/document/specification_checks.hpp"
#include "loaders/gltf/materials/materials.hpp"
#include "loaders/gltf/materials/variants.hpp"
#include "loaders/gltf/meshes/meshes.hpp"
#include "loaders/gltf/nodes/nodes.hpp"
#include "loaders/io/json/json.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/geometry/geometry.hpp"
#include "loaders/scene/parts/levels.hpp"

namespace vitrine {
namespace {

using gltf::Document;

// Adds nodes for a file with meshes and without nodes.
void add_missing_nodes(Document& document, scene::Scene& scene)
{
    if (!scene.nodes.empty() || scene.meshes.empty()) return;
    document.warnings().add("no_nodes", "the file has no nodes; its meshes are shown at the origin",
                            "/nodes");
    for (std::uint32_t m = 0; m < scene.meshes.size(); ++m) {
        scene::Node node;
        node.name = scene.meshes[m].name;
        node.mesh = m;
        scene.nodes.push_back(std::move(node));
    }
}

LoadResult<void> no_extensions(Document& /*document*/, scene::Scene& /*scene*/)
{
    return {};
}

LoadResult<void> fill(Document& document, scene::Scene& scene, ReadGltfExtensions read_extensions)
{
    gltf::check_objects(document);
    using Step = LoadResult<void> (*)(Document&, scene::Scene&);
    const Step steps[] = {gltf::load_images, gltf::load_materials, gltf::load_variants,   gltf::load_meshes,
                          gltf::load_nodes,  gltf::load_skins,     gltf::load_animations, read_extensions};
    for (const Step step : steps)
        if (auto done = step(document, scene); !done) return done;
    add_missing_nodes(document, scene);
    if (!scene::sort_nodes(scene)) return fail(LoadErrc::malformed, "/nodes", "the nodes form a cycle");
    scene::inherit_levels(scene);
    return {};
}

LoadResult<scene::Scene> load(Source& source, const Limits& limits, ReadGltfExtensions read_extensions)
{
    io::WarningLog warnings;
    io::Budget budget(limits);
    LoadResult<Document> document = Document::open(source, budget, warnings);
    if (!document) return std::unexpected(document.error());
    scene::Scene scene;
    scene.format = document->glb() ? "glb" : "gltf";
    scene.generator = gltf::LenientFields(document->root()["asset"], warnings).string("generator");
    scene.attribution = gltf::read_attribution(*document);
    if (auto filled = fill(*document, scene, read_extensions); !filled)
        return std::unexpected(filled.error());
    scene.warnings = warnings.take();
    return scene;
}

// Returns whether a member with that name is a non-empty array, without parsing the file.
bool has_elements(std::string_view json, std::string_view quoted_name)
{
    const auto next_of = [&](std::size_t at) {
        return std::min(json.find_first_not_of(" \t\r\n", at), json.size());
    };
    for (std::size_t at = json.find(quoted_name); at != json.npos; at = json.find(quoted_name, at + 1)) {
        const std::size_t colon = next_of(at + quoted_name.size());
        const std::size_t open = json.substr(colon).starts_with(':') ? next_of(colon + 1) : json.size();
        if (!json.substr(open).starts_with('[')) continue;
        if (!json.substr(next_of(open + 1)).starts_with(']')) return true;
    }
    return false;
}

} // namespace

LoadResult<scene::Scene> load_gltf(Source& source, const Limits& limits)
{
    LoadResult<scene::Scene> scene = load_gltf_with_flat_meshes(source, limits);
    if (scene) scene::expand_flat_meshes(*scene);
    return scene;
}

LoadResult<scene::Scene> load_gltf_with_flat_meshes(Source& source, const Limits& limits)
{
    return load_gltf_with_extensions(source, limits, no_extensions);
}

LoadResult<scene::Scene> load_gltf_with_extensions(Source& source, const Limits& limits,
                                                   ReadGltfExtensions read_extensions)
{
    LoadResult<scene::Scene> scene = load(source, limits, read_extensions);
    if (!scene) {
        // Names from the file may occur in messages; line breaks may not.
        scene.error().where = io::to_utf8(scene.error().where);
        scene.error().detail = io::to_utf8(scene.error().detail);
    }
    return scene;
}

bool load_gltf_libraries()
{
    return io::load_simdjson_library() && gltf::load_meshopt_library();
}

bool is_animation_only_gltf(Bytes file)
{
    io::WarningLog ignored;
    const auto container = gltf::split_container(file, ignored);
    if (!container) return false;
    const std::string_view json(reinterpret_cast<const char*>(container->json.data()),
                                container->json.size());
    return has_elements(json, "\"animations\"") && !has_elements(json, "\"meshes\"");
}

} // namespace vitrine
