#pragma once
// Changes the clips that users added to an asset, and everything that says something about them: facts,
// bounds, counts, search and the Scene in memory. Any thread, blocking (it evaluates the new clips).

#include <string>
#include <vector>

#include "server/services/catalog/user_clip_text.hpp"
#include "server/services/services.hpp"

namespace vitrine::server {

// The asset with these user clips instead of those it has. They are known to fit its file's clips. `asset` as
// it was read, `scene` its Scene. Errors: not_ready (still being imported), precondition_failed, conflict
// (another change came between), unprocessable (a limit of scenes).
Result<AssetRecord> set_user_clips(Services& services, const AssetRecord& asset, const SharedScene& scene,
                                   const std::vector<UserClip>& clips, const std::string& if_match);

} // namespace vitrine::server
