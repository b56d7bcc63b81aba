#pragma once
// Parameters that change the Scene before it is posed: attach, skinning, variant or skin, lod, hide, only,
// surface; and its motion for what evaluates no layers.

#include <optional>
#include <string>
#include <vector>

#include "loaders/scene/parts/looks.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/motion_params.hpp"
#include "server/routing/query_reader.hpp"
#include "server/services/storage/scene_changes.hpp"

namespace vitrine::server {

// A set of materials of the asset: `variant`, or `skin`, which means the same.
struct VariantText {
    std::string name;
    bool is_skin = false;
};
std::optional<VariantText> read_variant(QueryReader& reader);
// Finds the material variant by exact name or by index; scene::none without the parameter. Problems: 400 for
// a variant, 422 (not_in_model) for a skin that does not exist. Blocking, scenes pool.
std::expected<std::uint32_t, api::Problem> require_variant(const std::optional<VariantText>& variant,
                                                           const AssetRecord& asset, Context& context);

struct SceneTexts {
    std::vector<std::string> attachments{};
    std::optional<scene::SkinningMethod> skinning{};
    scene::LookTexts look{};
    std::optional<VariantText> variant{}; // for require_variant()
};
SceneTexts read_scene_texts(QueryReader& reader);
scene::LookTexts read_look(QueryReader& reader);

// Puts the changes into the record (SceneChanges), all but the variant; loads the asset's Scene if something
// is attached or left out. Problems: 400 for a text, 404 (no_asset) for an asset to attach that does not
// exist or is in the trash, 409 if it is not imported, 422 (not_in_model) for a level of detail or node that
// the model does not have. Blocking, scenes pool.
std::optional<api::Problem> change_scene(AssetRecord& asset, const SceneTexts& texts, Context& context);

// Puts the motion of the texts in place of the asset's clips (scene::bake_motion()). Returns whether there is
// one; the Scene then has one clip, or none if the motion is a constant pose. Problems: those of
// require_motion().
std::expected<bool, api::Problem> bake_motion(AssetRecord& asset, const MotionTexts& texts, Context& context);

} // namespace vitrine::server
