#include "loaders/3ds/3ds.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "loaders/3ds/chunk.hpp"
#include "loaders/3ds/scene_builder.hpp"
#include "loaders/images/texture_library.hpp"
#include "loaders/io/file_opener.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine {
namespace threeds {
namespace {

// Z up: x' = x, y' = z, z' = -y. Columns are the images of the file's axes.
scene::FileSpace file_space()
{
    return {.axes = glm::mat3(1, 0, 0, 0, 0, -1, 0, 1, 0), .unit_meters = 1.0};
}

io::TextEncoding encoding_of(const Document& document)
{
    std::vector<std::string_view> texts;
    for (const NamedObject& object : document.objects)
        texts.push_back(object.name);
    for (const MaterialEntry& material : document.materials) {
        texts.push_back(material.name);
        if (material.texture) texts.push_back(material.texture->file);
    }
    for (const KeyframerNode& node : document.nodes)
        texts.push_back(node.instance);
    return io::detect_encoding(texts);
}

void note_scale(const Document& document, io::WarningLog& warnings)
{
    if (document.master_scale.value_or(1.0f) == 1.0f) return;
    warnings.add("master_scale",
                 fmt::format("the file's master scale of {} is ignored; one unit is one meter",
                             *document.master_scale),
                 "chunk 0100");
}

// Adds one warning for all cameras and one for all lights.
void note_cameras_and_lights(const Document& document, io::WarningLog& warnings)
{
    const auto camera = std::ranges::find(document.objects, true, &NamedObject::is_camera);
    if (camera != document.objects.end())
        warnings.add("cameras_ignored", "the file's cameras are ignored; the view frames the whole model",
                     place(camera->at));
    const auto light = std::ranges::find(document.objects, true, &NamedObject::is_light);
    const auto colors = std::ranges::find(document.nodes, true, &KeyframerNode::changes_color);
    if (light != document.objects.end())
        warnings.add("lights_ignored", "the file's lights are ignored", place(light->at));
    else if (colors != document.nodes.end())
        warnings.add("lights_ignored", "animated light colors are not supported; they are ignored",
                     place(colors->at));
}

LoadResult<scene::Scene> load(Source& source, const Limits& limits, Bytes bytes)
{
    io::WarningLog warnings;
    const auto document = parse(bytes, limits, warnings);
    if (!document) return std::unexpected(document.error());
    const io::TextEncoding encoding = encoding_of(*document);
    scene::Scene scene;
    scene.format = "3ds";
    scene.generator = io::to_utf8(document->generator, encoding);
    scene.source_vertices = document->points;
    scene.source_polygons = document->faces;
    note_scale(*document, warnings);
    note_cameras_and_lights(*document, warnings);
    images::TextureLibrary textures(source, limits, scene, warnings);
    textures.allow_dos_names();
    add_materials(*document, encoding, textures, scene);
    const auto built = build_scene(*document, encoding, io::to_utf8(io::stem_of(source.main_name())), limits,
                                   warnings, scene);
    if (!built) return std::unexpected(built.error());
    const auto precedes_parent = [&](const scene::Node& node) {
        return node.parent != scene::none &&
               node.parent > static_cast<std::size_t>(&node - scene.nodes.data());
    };
    const bool ordered = std::ranges::none_of(scene.nodes, precedes_parent);
    if (!ordered && !scene::sort_nodes(scene))
        return fail(LoadErrc::internal, "", "a cycle of parents was not detected");
    scene::convert_to_scene_space(scene, file_space());
    scene.warnings = warnings.take();
    return scene;
}

} // namespace
} // namespace threeds

// Checks the main chunk and the first nested chunk: the first two bytes alone also start other files.
bool is_3ds(Bytes bytes)
{
    const auto word = [&](std::size_t i) {
        return std::to_integer<unsigned>(bytes[i]) | std::to_integer<unsigned>(bytes[i + 1]) << 8;
    };
    if (bytes.size() < 12 || word(0) != threeds::id::main) return false;
    const unsigned inside = word(6);
    return inside == threeds::id::version || inside == threeds::id::editor ||
           inside == threeds::id::keyframer;
}

LoadResult<scene::Scene> load_3ds(Source& source, const Limits& limits)
{
    const auto bytes = io::FileOpener(source, limits).open(source.main_name());
    if (!bytes) return std::unexpected(bytes.error());
    return threeds::load(source, limits, *bytes);
}

} // namespace vitrine
