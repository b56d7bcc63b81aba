#pragma once
// Changes the user clips of an asset and all data that depends on them: documents, bounds, counts, search
// index and the Scene in memory. Any thread, blocking (it evaluates the new clips).

#include <string>
#include <vector>

#include "server/services/catalog/append_user_clips.hpp"
#include "server/services/services.hpp"

namespace vitrine::server {

// Replaces the user clips of the asset and returns it. The clips must be valid for the file's clips. `asset`
// is the record as it was read, `scene` its Scene. Errors: not_ready (import in progress),
// precondition_failed, conflict (changed concurrently), unprocessable (a scene limit).
Result<AssetRecord> set_user_clips(Services& services, const AssetRecord& asset, const SharedScene& scene,
                                   const std::vector<UserClip>& clips, const std::string& if_match);

} // namespace vitrine::server
