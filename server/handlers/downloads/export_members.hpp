#pragma once
// Exports of assets as members of an archive.

#include "server/routing/context.hpp"
#include "server/services/downloads/zip_source.hpp"

namespace vitrine::server {

// Makes each as GET /v1/assets/{id}/export.glb does, within the time of a request. `context` outlives the
// result. Errors: also not_found, conflict ("not_imported", "import_failed"), busy ("responses_full": no
// memory for one that the derived cache cannot store), unavailable ("time_limit_exceeded"). Throws
// PeerDisconnected when the client has left.
ZipSource::MakeExport make_exports(const Request& request, Context& context);

} // namespace vitrine::server
