#include "server/services/storage/scene_changes.hpp"

#include <fmt/format.h>

#include "loaders/scene/layers/bake_motion.hpp"
#include "loaders/scene/skinning/skinning.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

// Increment when the Scene of equal changes differs.
constexpr int changes_revision = 1;

std::string text_of(const SceneChanges& changes)
{
    auto text = fmt::format("changes {}\n", changes_revision);
    if (changes.skinning) text += fmt::format("skinning {}\n", static_cast<int>(*changes.skinning));
    for (const auto& [asset, place] : changes.attached)
        text += fmt::format("attach {} {}\n", asset.content_hash, scene::place_key(place));
    if (changes.baked) text += fmt::format("baked {}\n", changes.baked->key);
    return text;
}

} // namespace

AssetRecord with_changes(SceneChanges changes)
{
    AssetRecord changed = changes.base;
    const auto text = text_of(changes);
    for (std::string* hash : {&changed.source_hash, &changed.content_hash})
        *hash = sha256_hex(*hash + "\n" + text);
    changed.changes = std::make_shared<const SceneChanges>(std::move(changes));
    return changed;
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
    if (changes.skinning) scene::set_skinning_method(changed, *changes.skinning);
    if (changes.baked)
        if (const auto done = scene::bake_motion(changed, *changes.baked); !done)
            return make_error(Errc::too_large, "too_many_values", done.error());
    if (const auto valid = scene::validate(changed, scene::FlatMeshes::allowed); !valid)
        return std::unexpected(to_service_error(valid.error()));
    return changed;
}

} // namespace vitrine::server
