#include "server/services/storage/scene_changes.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "loaders/scene/layers/bake_motion.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/skinning/skinning.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "server/services/storage/scene_store.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

// Increment when the Scene of equal changes differs.
constexpr int changes_revision = 2;

std::string text_of(const SceneChanges& changes)
{
    auto text = fmt::format("changes {}\n", changes_revision);
    if (changes.skinning) text += fmt::format("skinning {}\n", static_cast<int>(*changes.skinning));
    for (const auto& [asset, place] : changes.attached) {
        const auto key = scene::place_key(place); // lengths keep free texts apart
        text += fmt::format("attach {} {}:{} {}:{}\n", asset.content_hash, key.size(), key, asset.name.size(),
                            asset.name);
    }
    if (const auto key = scene::look_key(changes.look); !key.empty()) text += fmt::format("look {}\n", key);
    if (changes.played.bound_clip)
        text += fmt::format("played {}:{}\n", changes.played.key.size(), changes.played.key);
    if (changes.baked) text += fmt::format("baked {}\n", changes.baked->key);
    for (const auto& [asset, variant, clip, scale] : changes.lineup.assets)
        text += fmt::format("beside {} {} {} {}:{} {} {} {}\n", asset.content_hash, variant, clip,
                            asset.name.size(), asset.name, static_cast<int>(changes.lineup.sizes),
                            scale.unit.value_or(0.0), scale.height.value_or(0.0));
    return text;
}

// A group of several models: a digest of quarantine_group_length digits, then the first digits of the group
// of each.
constexpr char member_mark = '+';
constexpr std::size_t member_digits = 8;
// Groups are keys of an index of PostgreSQL, whose rows have at most 2704 bytes.
static_assert(quarantine_group_length +
                  scene::max_lineup * (1 + scene::max_attachments) * (1 + member_digits) <
              2600);

void add_members(std::set<std::string_view>& members, std::string_view group)
{
    if (group.find(member_mark) == group.npos) members.insert(group.substr(0, member_digits));
    for (auto at = group.find(member_mark); at != group.npos; at = group.find(member_mark, at + 1))
        members.insert(group.substr(at + 1, member_digits));
}

// The quarantine group of the models that are drawn together, wherever they are attached: that of the base if
// nothing is.
std::string group_of(const SceneChanges& changes)
{
    std::set<std::string_view> others;
    for (const auto& [asset, place] : changes.attached)
        others.insert(quarantine_group(asset.content_hash));
    for (const auto& model : changes.lineup.assets)
        others.insert(quarantine_group(model.asset.content_hash));
    auto first = quarantine_group(changes.base.content_hash);
    if (!changes.lineup.assets.empty()) first = others.extract(others.begin()).value(); // in any order
    if (others.empty()) return std::string(first);
    std::set<std::string_view> members;
    add_members(members, first);
    std::string text(first);
    for (const auto other : others) {
        text += fmt::format(" {}", other);
        add_members(members, other);
    }
    auto group = sha256_hex(text).substr(0, quarantine_group_length);
    for (const auto member : members)
        group.append(1, member_mark).append(member);
    return group;
}

} // namespace

std::string_view quarantine_group(std::string_view content_hash)
{
    const auto end = std::min(content_hash.find(member_mark), content_hash.size());
    return content_hash.substr(end - std::min(end, quarantine_group_length));
}

bool has_member(std::string_view group, std::string_view member)
{
    std::set<std::string_view> members;
    add_members(members, group);
    return group == member ||
           (group.size() > quarantine_group_length && members.contains(member.substr(0, member_digits)));
}

AssetRecord with_changes(SceneChanges changes)
{
    AssetRecord changed = changes.base;
    const auto text = text_of(changes);
    changed.source_hash = sha256_hex(changed.source_hash + "\n" + text);
    changed.content_hash =
        sha256_hex(changed.content_hash + "\n" + text).substr(quarantine_group_length) + group_of(changes);
    // Its clips are those that it plays.
    if (!changes.lineup.assets.empty() || changes.played.bound_clip) changed.user_clips.clear();
    changed.changes = std::make_shared<const SceneChanges>(std::move(changes));
    return changed;
}

Result<void> show_look(scene::Scene& changed, const scene::Look& look)
{
    const bool has_geometry = scene::draws_anything(changed); // otherwise images show bones
    scene::apply_look(changed, look);
    const bool leaves_out = !look.hidden.empty() || !look.only.empty();
    if (leaves_out && has_geometry && !scene::draws_anything(changed))
        return make_error(Errc::unprocessable, "nothing_to_show",
                          "Nothing that is left of the model is drawn.");
    if (const auto extent = scene::check_extent(changed); look.level != 0 && !extent)
        return std::unexpected(to_service_error(extent.error()));
    return {};
}

scene::Look look_of(const AssetRecord& asset)
{
    const auto* changes = asset.changes.get();
    while (changes != nullptr && changes->look == scene::Look{})
        changes = changes->base.changes.get();
    return changes == nullptr ? scene::Look{} : changes->look;
}

Result<scene::Scene> apply_changes(const scene::Scene& base, const SceneChanges& changes,
                                   const std::vector<scene::SharedScene>& attached)
{
    scene::Scene changed = base;
    for (std::size_t i = 0; i < attached.size(); ++i) {
        const auto& [asset, place] = changes.attached[i];
        if (const auto done = scene::attach(changed, *attached[i], place, asset.name); !done)
            return reject_parameter("attach", done.error());
    }
    if (const auto shown = show_look(changed, changes.look); !shown) return std::unexpected(shown.error());
    if (changes.played.bound_clip) changed.clips = {*changes.played.bound_clip};
    if (changes.skinning) scene::set_skinning_method(changed, *changes.skinning);
    if (changes.baked)
        if (const auto done = scene::bake_motion(changed, *changes.baked); !done)
            return make_error(Errc::too_large, "too_many_values", done.error());
    if (const auto valid = scene::validate(changed, scene::FlatMeshes::allowed); !valid)
        return std::unexpected(to_service_error(valid.error()));
    return changed;
}

Result<LineupModels> load_lineup(const Lineup& lineup, SceneStore& store, std::uint64_t limit_bytes,
                                 const std::stop_token& stop)
{
    LineupModels loaded;
    auto& [models, bytes] = loaded;
    for (const auto& [asset, variant, clip, scale] : lineup.assets) {
        auto scene = store.load_variant(asset, variant, stop);
        if (!scene) return std::unexpected(scene.error());
        if (!scene::draws_anything(**scene))
            return make_error(Errc::unprocessable, "nothing_to_show",
                              fmt::format("The asset {} has no visible mesh to draw.", asset.id));
        if (clip != scene::none && clip >= (*scene)->clips.size())
            return reject_parameter("clip", fmt::format("the clips of the asset {} have changed", asset.id));
        if (std::ranges::find(models, *scene, &scene::LineupModel::scene) == models.end())
            bytes += memory_bytes(**scene);
        if (bytes > limit_bytes) // before the others are loaded or changed
            return make_error(Errc::too_large, "limit_exceeded", "The models are too large together.");
        models.push_back({std::move(*scene), asset.name, clip, scale});
    }
    return loaded;
}

Result<scene::Scene> make_lineup(const LineupModels& lineup, scene::LineupSizes sizes)
{
    auto all = scene::make_lineup(lineup.models, sizes);
    if (const auto valid = scene::validate(all, scene::FlatMeshes::allowed); !valid)
        return std::unexpected(to_service_error(valid.error()));
    return all;
}

} // namespace vitrine::server
