#pragma once
// User clips of one version of an asset for its next one.

#include <vector>

#include "api/user_clips.hpp"
#include "loaders/scene/scene.hpp"
#include "server/services/catalog/catalog.hpp"

namespace vitrine::server {

struct CarriedClips {
    std::vector<api::UserClip> clips;
    std::vector<scene::Warning> lost; // one for each that does not fit: "user_clip_lost"
};

// The user clips of `current`, then those of the version that `next` was restored from which have other
// names. They are cut out of the clip of `file`, the Scene of `next` without user clips, that has the name of
// the one which they were cut out of. Blocking.
CarriedClips carry_user_clips(const Catalog& catalog, const AssetRecord& current, const AssetRecord& next,
                              const scene::Scene& file);

} // namespace vitrine::server
