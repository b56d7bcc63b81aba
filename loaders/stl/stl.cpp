#include "loaders/stl/stl.hpp"

#include <algorithm>
#include <utility>

#include "loaders/io/file_opener.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/geometry/geometry.hpp"
#include "loaders/stl/document.hpp"

namespace vitrine {
namespace stl {
namespace {

// Z up: x' = x, y' = z, z' = -y. Columns are the images of the file's axes.
scene::FileSpace file_space()
{
    return {.axes = glm::mat3(1, 0, 0, 0, 0, -1, 0, 1, 0), .unit_meters = 0.001};
}

bool is_printable(std::string_view text)
{
    constexpr std::size_t first_bytes = 256; // a binary header has 80, followed by numbers
    return std::ranges::all_of(text.substr(0, first_bytes), [](char c) {
        return static_cast<unsigned char>(c) >= ' ' || (c >= '\t' && c <= '\r');
    });
}

// Not by the first word: the header of a binary file may begin with "solid", too.
LoadResult<Document> read(Bytes bytes, const std::string& stem, const Limits& limits,
                          io::WarningLog& warnings)
{
    std::string storage;
    const std::string_view text = io::as_text(bytes, storage);
    const bool is_binary = has_binary_size(bytes);
    return !is_binary && is_printable(text) ? read_text(text, stem, limits, warnings)
                                            : read_binary(bytes, stem, limits, warnings);
}

LoadResult<void> check_part_limits(const Limits& limits)
{
    if (limits.meshes == 0) return io::limit_exceeded_error("", "meshes", limits.meshes);
    if (limits.nodes == 0) return io::limit_exceeded_error("", "nodes", limits.nodes);
    return {};
}

LoadResult<void> add_color(const Document& document, const std::string& name, const Limits& limits,
                           scene::Scene& scene)
{
    if (!document.color) return {};
    if (limits.materials == 0) return io::limit_exceeded_error("", "materials", limits.materials);
    scene::Material material;
    material.name = name;
    material.base_color = *document.color;
    if (material.base_color.w < 1.0f) material.alpha_mode = scene::AlphaMode::blend;
    scene.materials.push_back(std::move(material));
    for (scene::Mesh& mesh : scene.meshes)
        for (scene::Primitive& primitive : mesh.primitives)
            primitive.material = 0;
    return {};
}

LoadResult<scene::Scene> load(Bytes bytes, const std::string& stem, const Limits& limits)
{
    io::WarningLog warnings;
    if (auto within = check_part_limits(limits); !within) return std::unexpected(within.error());
    auto document = read(bytes, stem, limits, warnings);
    if (!document) return std::unexpected(document.error());
    scene::Scene scene;
    scene.format = "stl";
    scene.generator = document->header;
    scene.source_vertices = document->corners;
    scene.source_polygons = document->facets;
    for (scene::Mesh& mesh : document->solids) {
        scene::Node node;
        node.name = mesh.name;
        node.mesh = static_cast<std::uint32_t>(scene.meshes.size());
        scene.nodes.push_back(std::move(node));
        scene.meshes.push_back(std::move(mesh));
    }
    if (auto added = add_color(*document, stem, limits, scene); !added) return std::unexpected(added.error());
    scene::convert_to_scene_space(scene, file_space());
    scene.warnings = warnings.take();
    return scene;
}

} // namespace
} // namespace stl

bool is_stl(Bytes bytes)
{
    return stl::has_binary_size(bytes) ||
           stl::begins_as_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

LoadResult<scene::Scene> load_stl(Source& source, const Limits& limits)
{
    LoadResult<scene::Scene> scene = load_stl_with_flat_meshes(source, limits);
    if (scene) scene::expand_flat_meshes(*scene);
    return scene;
}

LoadResult<scene::Scene> load_stl_with_flat_meshes(Source& source, const Limits& limits)
{
    const auto bytes = io::FileOpener(source, limits).open(source.main_name());
    if (!bytes) return std::unexpected(bytes.error());
    return stl::load(*bytes, io::to_utf8(io::stem_of(source.main_name())), limits);
}

} // namespace vitrine
