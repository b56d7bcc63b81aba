#pragma once
// Parameters that change the Scene before it is posed: attach, skinning; and its motion for what evaluates no
// layers.

#include <optional>
#include <string>
#include <vector>

#include "server/handlers/common.hpp"
#include "server/handlers/motion_params.hpp"
#include "server/handlers/query_reader.hpp"
#include "server/services/storage/scene_changes.hpp"

namespace vitrine::server {

struct SceneTexts {
    std::vector<std::string> attachments{};
    std::optional<scene::SkinningMethod> skinning{};
};
SceneTexts read_scene_texts(QueryReader& reader);

// Puts the changes into the record (SceneChanges); loads the asset's Scene if something is attached.
// Problems: 400 for a text, 404 (no_asset) for an asset to attach that does not exist or is in the trash, 409
// if it is not imported. Blocking, scenes pool.
std::optional<api::Problem> change_scene(AssetRecord& asset, const SceneTexts& texts, Context& context);

// Puts the motion of the texts in place of the asset's clips (scene::bake_motion()). Returns whether there is
// one; the Scene then has one clip, or none if the motion is a constant pose. Problems: those of
// require_motion().
std::expected<bool, api::Problem> bake_motion(AssetRecord& asset, const MotionTexts& texts, Context& context);

} // namespace vitrine::server
