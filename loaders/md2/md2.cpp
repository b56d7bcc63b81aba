#include "loaders/md2/md2.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loaders/images/texture_library.hpp"
#include "loaders/io/file_opener.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/shared_parts.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/md2/file.hpp"
#include "loaders/md2/frame_names.hpp"
#include "loaders/quake/frame_clips.hpp"
#include "loaders/quake/loops.hpp"
#include "loaders/quake/space.hpp"
#include "loaders/quake/texture_picker.hpp"
#include "loaders/scene/geometry/geometry.hpp"
#include "loaders/scene/motion/frame_rate.hpp"

namespace vitrine {
namespace md2 {
namespace {

constexpr double frame_rate = 10.0; // Quake II plays ten frames per second
constexpr std::size_t max_skins = 64;

// The state of one load, shared by its steps.
class Loader {
public:
    Loader(Source& source, const Limits& limits)
        : source_(source), limits_(limits), files_(source, limits),
          textures_(source, limits, scene_, warnings_), picker_(source, textures_, warnings_, "md2")
    {
        scene_.format = "md2";
    }

    LoadResult<scene::Scene> run();

private:
    LoadResult<Md2File> read(const std::string& name);
    LoadResult<void> add_model(const Md2File& file, const std::string& name);
    scene::Material material_of(const Md2File& file, const std::string& mesh);
    struct Skin {
        std::string name;
        std::uint32_t material = 0;
    };
    std::vector<Skin> find_skins(const std::vector<std::string>& names);
    void add_skins(const Md2File& file);
    SkinSize skin_size(const Md2File& file, const scene::Material& material) const;
    LoadResult<void> add_clips(const Md2File& file);
    quake::FrameRange range_of(const NamedFrameRange& run) const;
    void add_weapon();

    Source& source_;
    const Limits& limits_;
    io::FileOpener files_;
    io::WarningLog warnings_;
    scene::Scene scene_;
    images::TextureLibrary textures_;
    quake::TexturePicker picker_;
};

LoadResult<Md2File> Loader::read(const std::string& name)
{
    const auto bytes = files_.open(name);
    if (!bytes) return std::unexpected(bytes.error());
    return parse_file(*bytes, limits_, warnings_);
}

// Skins are alternatives; the first existing one is shown.
scene::Material Loader::material_of(const Md2File& file, const std::string& mesh)
{
    return picker_.material(skins_of(file), mesh);
}

// Adds the materials of all skins whose image exists; the one that is shown comes first.
std::vector<Loader::Skin> Loader::find_skins(const std::vector<std::string>& names)
{
    std::set<std::uint32_t> images;
    std::vector<Skin> found;
    const std::uint32_t shown = scene_.materials[0].base_color_texture.image;
    for (const std::string& name : names) {
        if (found.size() >= max_skins || scene_.materials.size() >= limits_.materials) break;
        auto material = picker_.find_material(name);
        if (!material || !images.insert(material->base_color_texture.image).second) continue;
        const bool is_shown = material->base_color_texture.image == shown;
        found.push_back({io::to_utf8(io::stem_of(name)),
                         is_shown ? 0 : static_cast<std::uint32_t>(scene_.materials.size())});
        if (!is_shown) scene_.materials.push_back(*std::move(material));
    }
    if (const auto at = std::ranges::find(found, 0u, &Skin::material); at != found.end())
        std::rotate(found.begin(), at, at + 1);
    return found;
}

// The model's skins, also those beside it, become variants if there are several. The weapon keeps its own.
void Loader::add_skins(const Md2File& file)
{
    const auto listed = skins_of(file);
    auto names = listed;
    for (std::string& name : find_skins_beside(source_))
        names.push_back(std::move(name));
    const auto skins = names.size() > 1 ? find_skins(names) : std::vector<Skin>();
    if (skins.size() < 2) scene_.materials.resize(1);
    for (std::uint32_t variant = 0; variant < skins.size() && skins.size() > 1; ++variant) {
        scene_.variants.push_back(skins[variant].name);
        for (scene::Primitive& primitive : scene_.meshes[0].primitives)
            primitive.variants.push_back({variant, skins[variant].material});
    }
    if (listed.size() > std::max<std::size_t>(skins.size(), 1))
        warnings_.add("md2_skins",
                      fmt::format("there are {} skins; the first with an existing image is shown, and images "
                                  "of others are missing",
                                  listed.size()),
                      scene_.meshes[0].name);
}

// From the header, else the image, else the largest coordinate.
SkinSize Loader::skin_size(const Md2File& file, const scene::Material& material) const
{
    SkinSize size{file.skin_width, file.skin_height};
    const std::uint32_t image = material.base_color_texture.image;
    if (image != scene::none && (size.width == 0 || size.height == 0)) {
        const images::ImageSize in_file = textures_.file_size(image);
        size = {in_file.width, in_file.height};
    }
    if (size.width > 0 && size.height > 0) return size;
    for (const TexCoord coord : file.coords) {
        size.width = std::max(size.width, static_cast<std::uint32_t>(std::max<int>(coord.s, 0)));
        size.height = std::max(size.height, static_cast<std::uint32_t>(std::max<int>(coord.t, 0)));
    }
    return size;
}

LoadResult<void> Loader::add_model(const Md2File& file, const std::string& name)
{
    const auto number = static_cast<std::uint32_t>(scene_.meshes.size());
    const auto material_number = static_cast<std::uint32_t>(scene_.materials.size());
    const std::tuple<std::string_view, std::uint32_t, std::uint32_t> limits[] = {
        {"meshes", number, limits_.meshes},
        {"nodes", number, limits_.nodes},
        {"materials", material_number, limits_.materials}};
    for (const auto& [what, count, max_count] : limits)
        if (count >= max_count)
            return io::limit_exceeded_error("", fmt::format("{} {}", count + 1, what), what, max_count);
    scene::Material material = material_of(file, name);
    auto mesh = make_mesh(file, skin_size(file, material), limits_);
    if (!mesh) return std::unexpected(mesh.error());
    mesh->name = name;
    for (scene::Primitive& primitive : mesh->primitives)
        primitive.material = material_number;
    scene::Node node;
    node.name = name;
    node.mesh = number;
    scene_.source_vertices += file.vertex_count;
    scene_.source_polygons += file.triangles.size();
    scene_.nodes.push_back(std::move(node));
    scene_.meshes.push_back(*std::move(mesh));
    scene_.materials.push_back(std::move(material));
    return {};
}

quake::FrameRange Loader::range_of(const NamedFrameRange& run) const
{
    const scene::Mesh* const mesh = &scene_.meshes[0];
    return {run.first, run.count, frame_rate, quake::loops(run.name, {&mesh, 1}, run.first, run.count)};
}

LoadResult<void> Loader::add_clips(const Md2File& file)
{
    std::vector<std::string_view> names;
    for (const VertexFrameRecord& frame : file.frames)
        names.push_back(frame.name);
    std::vector<NamedFrameRange> frame_ranges = find_named_ranges(names);
    make_names_unique(frame_ranges);
    if (frame_ranges.size() > limits_.clips)
        return io::limit_exceeded_error("", fmt::format("{} clips", frame_ranges.size()), "clips",
                                        limits_.clips);
    const std::size_t keys = file.frames.size() + frame_ranges.size(); // a loop has one more than frames
    if (keys > limits_.key_values)
        return io::limit_exceeded_error("", fmt::format("{} keys of frames", keys), "key_values",
                                        limits_.key_values);
    const auto available = static_cast<std::uint32_t>(file.frames.size());
    const io::TextEncoding encoding = encoding_of(file);
    for (const NamedFrameRange& run : frame_ranges) {
        const quake::FrameRange range = range_of(run);
        scene_.clips.push_back(quake::make_clip(io::to_utf8(run.name, encoding), range));
        scene_.clips.back().channels.push_back(quake::frame_channel(0, range, available));
    }
    return {};
}

// The weapon of a Quake II player model, with the same space and frames.
void Loader::add_weapon()
{
    if (!source_.is_whole_upload()) return;
    const auto parts = io::find_shared_parts(source_.names());
    const auto found =
        std::ranges::find(parts, source_.main_name(), [](const auto& part) { return part.second; });
    if (found == parts.end()) return;
    const std::string& weapon = found->first;
    warnings_.enter_file(weapon);
    auto file = read(weapon);
    const auto added =
        file ? add_model(*file, io::to_utf8(io::stem_of(weapon))) : std::unexpected(file.error());
    warnings_.enter_file("");
    if (!added) {
        warnings_.add("md2_weapon_skipped",
                      fmt::format("the weapon is ignored: {}{}{}", added.error().where,
                                  added.error().where.empty() ? "" : ": ", added.error().detail),
                      weapon);
        return;
    }
    const auto frames = static_cast<std::uint32_t>(file->frames.size());
    if (frames != scene_.meshes[0].frames.count) {
        warnings_.add("md2_weapon_frames",
                      fmt::format("the weapon has {} frames and the model {}; its last one is held", frames,
                                  scene_.meshes[0].frames.count),
                      weapon);
    }
    for (scene::Clip& clip : scene_.clips) {
        const auto first = static_cast<std::uint32_t>(clip.channels[0].values[0]);
        const quake::FrameRange range{first, clip.frames, frame_rate, scene::is_closed_loop(clip)};
        clip.channels.push_back(quake::frame_channel(1, range, frames));
    }
}

LoadResult<scene::Scene> Loader::run()
{
    const auto file = read(source_.main_name());
    if (!file) return std::unexpected(file.error());
    if (auto added = add_model(*file, io::to_utf8(io::stem_of(source_.main_name()))); !added)
        return std::unexpected(added.error());
    add_skins(*file);
    if (auto added = add_clips(*file); !added) return std::unexpected(added.error());
    add_weapon();
    textures_.report_reduced();
    quake::finish(scene_, warnings_);
    return std::move(scene_);
}

} // namespace
} // namespace md2

LoadResult<scene::Scene> load_md2(Source& source, const Limits& limits)
{
    return md2::Loader(source, limits).run();
}

} // namespace vitrine
