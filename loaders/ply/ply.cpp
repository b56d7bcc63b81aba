#include "loaders/ply/ply.hpp"

#include <algorithm>
#include <utility>

#include "loaders/images/texture_library.hpp"
#include "loaders/io/file_opener.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/ply/document.hpp"
#include "loaders/ply/header.hpp"
#include "loaders/scene/flat_meshes.hpp"

namespace vitrine {
namespace ply {
namespace {

// The state of one load, shared by its steps.
class Loader {
public:
    Loader(Source& source, const Limits& limits)
        : source_(source), limits_(limits), textures_(source, limits, scene_, warnings_)
    {
    }
    LoadResult<scene::Scene> run();

private:
    LoadResult<void> add_materials(const Header& header, const Document& document);
    LoadResult<void> add_material(scene::Material material);

    Source& source_;
    const Limits& limits_;
    io::WarningLog warnings_;
    scene::Scene scene_;
    images::TextureLibrary textures_;
    MeshMaterials materials_;
};

LoadResult<void> Loader::add_material(scene::Material material)
{
    if (scene_.materials.size() >= limits_.materials)
        return io::limit_exceeded_error("header", "materials", limits_.materials);
    scene_.materials.push_back(std::move(material));
    return {};
}

bool is_transparent(const Document& document)
{
    const auto is_part = [](const glm::vec4& color) { return color.w < 1.0f; };
    return std::ranges::any_of(document.vertices.colors, is_part) ||
           std::ranges::any_of(document.faces.colors, is_part);
}

// One for each texture; or one that blends, if colors are transparent.
LoadResult<void> Loader::add_materials(const Header& header, const Document& document)
{
    const bool has_colors = !document.vertices.colors.empty() || !document.faces.colors.empty();
    const bool has_uvs = !document.vertices.uvs.empty() || !document.faces.uvs.empty();
    const bool may_hide_colors = has_colors && has_uvs && !document.faces.ends.empty();
    for (const std::string_view name : header.textures) {
        scene::Material material;
        material.name = io::to_utf8(name);
        material.base_color_texture.image = textures_.get(material.name, "comment TextureFile");
        if (textures_.has_image(material.base_color_texture.image)) materials_.hides_colors = may_hide_colors;
        if (auto added = add_material(std::move(material)); !added) return added;
    }
    materials_.count = static_cast<std::uint32_t>(header.textures.size());
    if (materials_.hides_colors)
        warnings_.add("ply_colors_hidden", "the texture is shown; colors of vertices and faces are not",
                      "header");
    if (materials_.count == 0 && is_transparent(document)) {
        scene::Material material;
        material.name = "colors";
        material.alpha_mode = scene::AlphaMode::blend;
        if (auto added = add_material(std::move(material)); !added) return added;
    }
    if (!scene_.materials.empty()) materials_.first = 0;
    return {};
}

LoadResult<scene::Scene> Loader::run()
{
    const auto bytes = io::FileOpener(source_, limits_).open(source_.main_name());
    if (!bytes) return std::unexpected(bytes.error());
    const std::string_view file(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    const auto header = parse_header(file, warnings_);
    if (!header) return std::unexpected(header.error());
    auto document = read_elements(file, *header, limits_, warnings_);
    if (!document) return std::unexpected(document.error());
    scene_.format = "ply";
    scene_.generator = io::to_utf8(header->generator);
    scene_.source_vertices = document->vertex_count;
    scene_.source_polygons = document->faces.ends.size();
    if (auto added = add_materials(*header, *document); !added) return std::unexpected(added.error());
    const std::string stem = io::to_utf8(io::stem_of(source_.main_name()));
    if (auto added = add_meshes(*document, stem, materials_, limits_, warnings_, scene_); !added)
        return std::unexpected(added.error());
    textures_.report_reduced();
    scene_.warnings = warnings_.take();
    return std::move(scene_);
}

} // namespace
} // namespace ply

bool is_ply(Bytes bytes)
{
    std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                          std::min<std::size_t>(bytes.size(), 16));
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    return text.starts_with("ply\n") || text.starts_with("ply\r") || text.starts_with("ply \n");
}

LoadResult<scene::Scene> load_ply(Source& source, const Limits& limits)
{
    LoadResult<scene::Scene> scene = load_ply_with_flat_meshes(source, limits);
    if (scene) scene::expand_flat_meshes(*scene);
    return scene;
}

LoadResult<scene::Scene> load_ply_with_flat_meshes(Source& source, const Limits& limits)
{
    return ply::Loader(source, limits).run();
}

} // namespace vitrine
