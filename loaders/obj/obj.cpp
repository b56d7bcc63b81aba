#include "loaders/obj/obj.hpp"

#include <utility>

#include "loaders/io/file_opener.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/obj/materials.hpp"
#include "loaders/obj/meshes.hpp"
#include "loaders/obj/parser.hpp"

namespace vitrine {

LoadResult<scene::Scene> load_obj(Source& source, const Limits& limits)
{
    const std::string& name = source.main_name();
    const auto bytes = io::FileOpener(source, limits).open(name);
    if (!bytes) return std::unexpected(bytes.error());
    std::string storage;
    io::WarningLog warnings;
    const std::string_view base = io::base_name(name);
    const std::string stem = io::to_utf8(base.substr(0, base.size() - io::extension_of(base).size()));
    auto document = obj::parse_document(io::as_text(*bytes, storage), stem, limits, warnings);
    if (!document) return std::unexpected(document.error());
    scene::Scene scene;
    scene.format = "obj";
    scene.source_vertices = document->positions.size();
    scene.source_polygons = document->polygon_count;
    obj::add_meshes(*document, scene);
    auto library = obj::read_libraries(source, limits, document->libraries, document->materials, warnings);
    images::TextureLibrary textures(source, limits, scene, warnings);
    obj::add_materials(std::move(library), document->materials, textures, scene, warnings);
    scene.warnings = warnings.take();
    return scene;
}

} // namespace vitrine
