#pragma once
// What a request changes in an asset's Scene before it is posed: other assets attached to its joints, what is
// shown of it, the skinning method, a motion in place of its clips, other assets beside it.

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "loaders/scene/layers/animation_layers.hpp"
#include "loaders/scene/layers/attach.hpp"
#include "loaders/scene/layers/layer_text.hpp"
#include "loaders/scene/lineup/lineup.hpp"
#include "loaders/scene/parts/looks.hpp"
#include "loaders/scene/scene.hpp"
#include "loaders/scene/shared_scene.hpp"
#include "server/services/catalog/records.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

class SceneStore; // scene_store.hpp

struct AttachedAsset {
    AssetRecord asset;
    scene::AttachText place;
};

// A model of a lineup (scene::make_lineup()).
struct LineupAsset {
    AssetRecord asset;                   // may have changes of its own
    std::uint32_t variant = scene::none; // material variant
    std::uint32_t clip = scene::none;    // that it plays; of the changed Scene
    scene::LineupScale scale{};
};
struct Lineup {
    std::vector<LineupAsset> assets;
    scene::LineupSizes sizes = scene::LineupSizes::actual;
};

struct SceneChanges {
    AssetRecord base; // may have changes of its own, which come first
    std::optional<scene::SkinningMethod> skinning{};
    std::vector<AttachedAsset> attached{};
    scene::Look look{};          // found in the base's Scene; of what is attached, too
    scene::SharedLayers baked{}; // scene::bake_motion(); they fit the scene with the other changes
    scene::FoundClip played{};   // bound_clip, in place of the base's clips; null: these
    // If it has assets, their Scene is all there is: the base is one of them, and there are no other changes.
    Lineup lineup{};
};

// The end of a content hash: models that are quarantined together when one of them loses render devices. An
// asset with changes has that of its base and of what is attached or beside it, wherever it is, so that no
// number of changes draws a quarantined model again. The group of one asset has quarantine_group_length
// hexadecimal digits, half of its hash; that of several is longer and names them, has_member().
inline constexpr std::size_t quarantine_group_length = 32;
std::string_view quarantine_group(std::string_view content_hash);
// Whether the asset with the group `member` is drawn by models of the group. Another asset is taken for it
// once in 2^32 cases.
bool has_member(std::string_view group, std::string_view member);

// Returns the base with `changes`, under hashes that include them, so that caches, entity tags and the render
// pool take it for an asset of its own. SceneStore::load() makes its Scene. Equal changes give equal hashes;
// a new version of an attached asset another one.
AssetRecord with_changes(SceneChanges changes);

// Returns the look among the changes of the asset and of its bases; none: the empty one.
scene::Look look_of(const AssetRecord& asset);
// Applies a look. Errors: unprocessable (nothing is left of what was drawn: "nothing_to_show").
Result<void> show_look(scene::Scene& changed, const scene::Look& look);

// Applies the changes to a copy of the base's Scene; `attached`: the Scenes of changes.attached. Errors:
// those of SceneStore::load() for changes.
Result<scene::Scene> apply_changes(const scene::Scene& base, const SceneChanges& changes,
                                   const std::vector<scene::SharedScene>& attached);

struct LineupModels {
    std::vector<scene::LineupModel> models;
    std::uint64_t bytes = 0; // of their Scenes, each once
};
// Loads the assets of a lineup with their variants, which have at most `limit_bytes` together. Errors:
// likewise, and nothing_to_show of an asset that draws nothing.
Result<LineupModels> load_lineup(const Lineup& lineup, SceneStore& store, std::uint64_t limit_bytes,
                                 const std::stop_token& stop);
// Makes the Scene of the models. Errors: those of scene::validate().
Result<scene::Scene> make_lineup(const LineupModels& lineup, scene::LineupSizes sizes);

} // namespace vitrine::server
