// What a profile of rules finds in an asset.
#include "api/check_profile.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/query_reader.hpp"
#include "server/services/scene_queries/scene_queries.hpp"

namespace vitrine::server {
namespace {

// The profile of the gate by default or by its name, or one that comes with the program.
std::optional<scene::CheckProfile> read_profile(QueryReader& reader, const CheckGate& gate)
{
    const auto name = reader.text("profile");
    if (gate.profile && (!name || *name == gate.profile->name)) return *gate.profile;
    auto profile = scene::find_shipped_profile(name.value_or("default"));
    if (!profile) reader.reject("profile", api::no_profile_message(*name));
    return profile;
}

} // namespace

HandlerResult get_checks(const Request& request, Context& context)
{
    QueryReader reader(request);
    const auto profile = read_profile(reader, context.services.gate);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    const auto etag = checks_etag(*asset, *profile);
    if (auto same = not_modified(request, etag)) return std::move(*same);
    auto scene = require_scene(*asset, context);
    if (!scene) return std::unexpected(scene.error());
    auto response = json_text_response(query_checks(context.services.derived, *asset, **scene, *profile));
    add_caching(response, etag);
    return response;
}

} // namespace vitrine::server
