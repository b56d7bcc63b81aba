#include "server/services/storage/scene_changes.hpp"

#include <fmt/format.h>

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

} // namespace vitrine::server
