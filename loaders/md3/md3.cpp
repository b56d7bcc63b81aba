#include "loaders/md3/md3.hpp"

#include <algorithm>
#include <memory>
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
#include "loaders/md3/surface_materials.hpp"
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
          textures_(source, limits, scene_, warnings_), picker_(source, textures_, warnings_, "md3"),
          materials_(source, limits, scene_, picker_, warnings_)
    {
        scene_.format = "md3";
    }

    LoadResult<scene::Scene> run();

private:
    LoadResult<void> add_part(const std::string& name, std::uint32_t parent);
    LoadResult<void> add_levels();
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
    SurfaceMaterials materials_;
    std::vector<std::unique_ptr<ModelPart>> parts_; // the main part first
    std::vector<std::string> part_names_;           // their files
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
    part_names_.push_back(name);
    materials_.add(parts_.back()->surfaces(), name);
    return {};
}

// Levels of detail that cannot be read are ignored. Added after all parts, whose nodes keep their numbers.
LoadResult<void> Loader::add_levels()
{
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        std::vector<Md3File> levels;
        for (const std::string& name : find_level_files(source_, part_names_[p])) {
            warnings_.enter_file(name);
            const auto bytes = files_.open(name);
            auto file = bytes ? parse_file(*bytes, limits_, warnings_) : std::unexpected(bytes.error());
            warnings_.enter_file("");
            if (file && scene_.nodes.size() + file->surfaces.size() <= limits_.nodes &&
                scene_.meshes.size() + file->surfaces.size() <= limits_.meshes)
                levels.push_back(*std::move(file));
            else
                warnings_.add("md3_part_skipped",
                              "the level of detail is ignored: " +
                                  (file ? std::string("it has too many surfaces") : file.error().detail),
                              name);
        }
        if (levels.empty()) continue;
        parts_[p]->add_levels(scene_, std::move(levels), warnings_);
        for (const ModelPart::Level& level : parts_[p]->levels())
            materials_.add(level, part_names_[p]);
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
    part_names_.resize(parts);
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
    if (source_.is_whole_upload())
        if (auto added = add_levels(); !added) return std::unexpected(added.error());
    if (auto made = materials_.make(); !made) return std::unexpected(made.error());
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
