#include "loaders/md3/md3.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loaders/images/texture_library.hpp"
#include "loaders/io/file_opener.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/md3/file.hpp"
#include "loaders/md3/player.hpp"
#include "loaders/md3/skin_file.hpp"
#include "loaders/quake/space.hpp"
#include "loaders/quake/texture_picker.hpp"
#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine {
namespace md3 {
namespace {

// The state of one load, shared by its steps.
class Loader {
public:
    Loader(Source& source, const Limits& limits)
        : source_(source), limits_(limits), files_(source, limits),
          textures_(source, limits, scene_, warnings_), picker_(source, textures_, warnings_, "md3")
    {
        scene_.format = "md3";
    }

    LoadResult<scene::Scene> run();

private:
    LoadResult<void> add_part(const std::string& name, std::uint32_t parent);
    void list_shaders(const ModelPart& part, const std::string& name);
    LoadResult<void> add_materials();
    LoadResult<void> add_material(std::uint32_t node, const std::vector<std::string>& shaders);
    SkinFile read_skin(const std::string& model);
    LoadResult<void> add_companions();
    LoadResult<void> attach(const std::string& name, const ModelPart& to, std::string_view tag);
    LoadResult<void> add_clips();
    std::vector<AnimationRow> read_animations();

    Source& source_;
    const Limits& limits_;
    io::FileOpener files_;
    io::WarningLog warnings_;
    scene::Scene scene_;
    images::TextureLibrary textures_;
    quake::TexturePicker picker_;
    std::vector<std::unique_ptr<ModelPart>> parts_; // the main part first
    struct SurfaceMaterials {                       // a surface's node and its possible shaders
        std::uint32_t node;
        std::vector<std::string> shaders;
        std::string file; // of its part; empty: the main one
    };
    std::vector<SurfaceMaterials> surface_materials_;
    std::map<std::string, std::uint32_t> materials_;
};

// Adds the whole file, or nothing on failure.
LoadResult<void> Loader::add_part(const std::string& name, std::uint32_t parent)
{
    const auto bytes = files_.open(name);
    if (!bytes) return std::unexpected(bytes.error());
    auto file = parse_file(*bytes, limits_, warnings_);
    if (!file) return std::unexpected(file.error());
    const std::uint64_t nodes = scene_.nodes.size() + 1 + file->surfaces.size() + file->tag_count;
    const std::uint64_t meshes = scene_.meshes.size() + file->surfaces.size();
    if (nodes > limits_.nodes)
        return io::limit_exceeded_error("", fmt::format("{} nodes", nodes), "nodes", limits_.nodes);
    if (meshes > limits_.meshes)
        return io::limit_exceeded_error("", fmt::format("{} surfaces", meshes), "meshes", limits_.meshes);
    parts_.push_back(std::make_unique<ModelPart>(scene_, *std::move(file), io::to_utf8(io::stem_of(name)),
                                                 parent, warnings_));
    list_shaders(*parts_.back(), name);
    return {};
}

SkinFile Loader::read_skin(const std::string& model)
{
    const ChosenSkin chosen = choose_skin(source_, model);
    if (chosen.count > 1) {
        warnings_.add(
            "md3_skins",
            fmt::format("there are {} .skin files; {} is used", chosen.count, io::shown(chosen.name)),
            chosen.name);
    }
    const auto bytes = chosen.name.empty() ? std::nullopt : source_.open(chosen.name);
    return bytes ? SkinFile(*bytes) : SkinFile();
}

// "nodraw" is the game's name for surfaces that are not shown.
bool is_nodraw(std::string_view shader)
{
    return io::to_utf8(io::stem_of(shader)) == "nodraw";
}

void Loader::list_shaders(const ModelPart& part, const std::string& name)
{
    const SkinFile skin = read_skin(name);
    for (std::size_t s = 0; s < part.surface_nodes().size(); ++s) {
        const std::uint32_t node = part.surface_nodes()[s];
        if (node == scene::none) continue;
        const Md3Surface& surface = part.file().surfaces[s];
        std::vector<std::string> shaders;
        if (const std::string worn = skin.find_shader(surface.name); !worn.empty()) shaders.push_back(worn);
        for (const std::string_view shader : surface.shaders)
            shaders.push_back(io::to_utf8(shader));
        scene_.nodes[node].visible =
            shaders.empty() || !(is_nodraw(shaders[0]) || picker_.is_never_drawn(shaders[0]));
        picker_.claim(shaders, scene_.meshes[scene_.nodes[node].mesh].name);
        surface_materials_.push_back({node, std::move(shaders), name == source_.main_name() ? "" : name});
    }
}

// The game maps the whole image onto sprites, so files may have one texture coordinate for all four corners.
void lay_out_sprites(std::span<glm::vec2> uvs)
{
    constexpr std::array<glm::vec2, 4> whole{{{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 1.0f}}};
    for (std::size_t first = 0; first + 4 <= uvs.size(); first += 4) {
        const auto corners = uvs.subspan(first, 4);
        if (std::ranges::adjacent_find(corners, std::ranges::not_equal_to{}) == corners.end())
            std::ranges::copy(whole, corners.begin());
    }
}

// Surfaces with equal shader and name share a material.
LoadResult<void> Loader::add_material(std::uint32_t node, const std::vector<std::string>& shaders)
{
    scene::Mesh& mesh = scene_.meshes[scene_.nodes[node].mesh];
    const auto next = static_cast<std::uint32_t>(scene_.materials.size());
    const std::string key = (shaders.empty() ? std::string() : shaders[0]) + '\n' + mesh.name;
    const auto [known, is_new] = materials_.try_emplace(key, next);
    for (scene::Primitive& primitive : mesh.primitives)
        primitive.material = known->second;
    if (!shaders.empty() && picker_.is_sprite_shader(shaders[0])) lay_out_sprites(mesh.uv0);
    if (!is_new) return {};
    if (next >= limits_.materials)
        return io::limit_exceeded_error("", "shaders", "materials", limits_.materials);
    scene_.materials.push_back(picker_.material(shaders, mesh.name));
    return {};
}

// Runs after all parts are added, so that an image named by one is not guessed for another.
LoadResult<void> Loader::add_materials()
{
    for (const SurfaceMaterials& surface_materials : surface_materials_) {
        warnings_.enter_file(surface_materials.file);
        auto added = add_material(surface_materials.node, surface_materials.shaders);
        warnings_.enter_file("");
        if (!added) return added;
    }
    return {};
}

// Ignores parts that cannot be read or attached. Error: limit_exceeded.
LoadResult<void> Loader::attach(const std::string& name, const ModelPart& to, std::string_view tag)
{
    const std::uint32_t node = to.find_tag(tag);
    if (node == scene::none) {
        warnings_.add("md3_part_skipped",
                      fmt::format("the part is ignored: {} has no {}", io::shown(to.name()), tag), name);
        return {};
    }
    scene::Scene before;
    before.nodes = scene_.nodes;
    before.source_vertices = scene_.source_vertices;
    before.source_polygons = scene_.source_polygons;
    const std::size_t meshes = scene_.meshes.size(), parts = parts_.size();
    warnings_.enter_file(name);
    const auto added = add_part(name, node);
    warnings_.enter_file("");
    if (added || added.error().code == LoadErrc::limit_exceeded) return added;
    scene_.nodes = std::move(before.nodes);
    scene_.source_vertices = before.source_vertices;
    scene_.source_polygons = before.source_polygons;
    scene_.meshes.resize(meshes);
    parts_.resize(parts);
    warnings_.add("md3_part_skipped",
                  fmt::format("the part is ignored: {}{}{}", added.error().where,
                              added.error().where.empty() ? "" : ": ", added.error().detail),
                  name);
    return {};
}

LoadResult<void> Loader::add_companions()
{
    const PlayerFiles files = find_player_files(source_);
    const auto part_named = [&](const std::string& name) -> const ModelPart* {
        const auto found = std::ranges::find(parts_, io::to_utf8(io::stem_of(name)),
                                             [](const auto& p) { return p->name(); });
        return found == parts_.end() ? nullptr : found->get();
    };
    if (!files.upper.empty() && files.upper != source_.main_name())
        if (auto attached = attach(files.upper, *parts_[0], "tag_torso"); !attached) return attached;
    const ModelPart* upper = files.upper.empty() ? nullptr : part_named(files.upper);
    if (upper == nullptr) {
        for (const std::string& part : {files.head, files.weapon})
            if (!part.empty() && !files.upper.empty())
                warnings_.add("md3_part_skipped",
                              "the part is ignored: its parent, the upper part, is ignored", part);
        return {};
    }
    if (!files.head.empty())
        if (auto attached = attach(files.head, *upper, "tag_head"); !attached) return attached;
    return files.weapon.empty() ? LoadResult<void>() : attach(files.weapon, *upper, "tag_weapon");
}

std::vector<AnimationRow> Loader::read_animations()
{
    const bool is_alone = parts_.size() == 1;
    if (is_alone && !(source_.is_whole_upload() && is_only_model(source_))) return {};
    const std::string name = find_animation_config(source_);
    if (name.empty()) return {};
    const auto bytes = files_.open(name);
    if (!bytes) return {};
    warnings_.enter_file(name);
    const bool is_whole_body = is_alone && !is_body_part(*parts_[0]);
    auto animations = parse_animation_config(
        *bytes, warnings_, is_whole_body ? FrameNumbering::single_file : FrameNumbering::separate_files);
    warnings_.enter_file("");
    return animations;
}

LoadResult<void> Loader::add_clips()
{
    std::vector<const ModelPart*> parts;
    for (const auto& part : parts_)
        parts.push_back(part.get());
    const ClipMaker maker(parts, read_animations(), io::to_utf8(io::stem_of(source_.main_name())),
                          scene_.meshes);
    if (maker.count() > limits_.clips)
        return io::limit_exceeded_error("", fmt::format("{} clips", maker.count()), "clips", limits_.clips);
    if (maker.key_values() > limits_.key_values)
        return io::limit_exceeded_error("", fmt::format("{} numbers in all keys", maker.key_values()),
                                        "key_values", limits_.key_values);
    scene_.clips = maker.make(warnings_);
    return {};
}

LoadResult<scene::Scene> Loader::run()
{
    if (auto added = add_part(source_.main_name(), scene::none); !added)
        return std::unexpected(added.error());
    if (source_.is_whole_upload())
        if (auto added = add_companions(); !added) return std::unexpected(added.error());
    if (auto added = add_materials(); !added) return std::unexpected(added.error());
    if (auto added = add_clips(); !added) return std::unexpected(added.error());
    textures_.report_reduced();
    quake::finish(scene_, warnings_);
    return std::move(scene_);
}

} // namespace
} // namespace md3

LoadResult<scene::Scene> load_md3(Source& source, const Limits& limits)
{
    return md3::Loader(source, limits).run();
}

} // namespace vitrine
