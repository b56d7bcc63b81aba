// Versions of an asset: list, new content, restore.
#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/deferred/deferred_response.hpp"
#include "server/handlers/handlers.hpp"
#include "server/net/async.hpp"
#include "server/routing/idempotency.hpp"
#include "server/routing/query_reader.hpp"
#include "server/services/audit/audit_log.hpp"

namespace vitrine::server {
namespace {

struct VersionRequest {
    std::optional<std::string> file_name; // of a body that is one file
    NewVersion version;
};

std::expected<VersionRequest, api::Problem> read_version(const Request& request)
{
    QueryReader reader(request);
    VersionRequest wanted;
    wanted.file_name = reader.text("name");
    if (const auto name = reader.text("rename")) {
        wanted.version.name = ascii::trimmed(*name);
        if (const auto why = name_fault(wanted.version.name); !why.empty()) reader.reject("rename", why);
    }
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    wanted.version.if_match = read_if_match(request);
    return wanted;
}

// Before the body is received. A repeated request is answered as the first one, whatever the revision is now.
std::optional<api::Problem> check_asset(const Request& request, const std::string& if_match,
                                        bool may_be_repeated, Context& context)
{
    const auto asset = require_asset(request, context);
    if (!asset) return asset.error();
    if (may_be_repeated || if_match.empty() || if_match == asset->etag()) return std::nullopt;
    return api::Problem{
        .status = 412, .code = "edit_conflict", .detail = "The asset's revision is " + asset->etag() + "."};
}

HandlerResult version_response(const Result<CreatedVersion>& created, const std::vector<IgnoredFile>& ignored,
                               bool is_async)
{
    if (!created) return problem(created.error());
    boost::json::array left_out;
    for (const auto& file : ignored)
        left_out.push_back(boost::json::object{{"name", file.name}, {"reason", file.reason}});
    auto response = json_response(created->existing ? 200 : 201,
                                  boost::json::object{{"version", to_json(created->version)},
                                                      {"asset", to_json(created->asset)},
                                                      {"job", to_json(created->job)},
                                                      {"existing", created->existing},
                                                      {"ignored", std::move(left_out)}});
    response.headers.add("Location",
                         fmt::format("{}/versions/{}", created->asset.path(), created->version.number));
    if (is_async && !created->existing) answer_async(response, created->job.id);
    return response;
}

} // namespace

HandlerResult list_versions(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto asset = require_asset(request, context);
    if (!asset) return std::unexpected(asset.error());
    return json_response(200, api::list_json(context.services.catalog.versions(asset->id)));
}

asio::awaitable<HandlerResult> create_version(Request& request, BodySource& body, Context& context)
{
    auto key = read_idempotency_key(request);
    if (!key) co_return std::unexpected(key.error());
    auto wanted = read_version(request);
    if (!wanted) co_return std::unexpected(wanted.error());
    auto rejection = co_await run_on_pool(context.catalog_pool, [&] {
        return check_asset(request, wanted->version.if_match, !key->empty(), context);
    });
    if (rejection) co_return std::unexpected(std::move(*rejection));
    const auto id = request.param("id");
    UploadPurpose purpose{.key = std::move(*key),
                          .target = fmt::format("version of {}\n{}\n", id, wanted->version.name),
                          .ingest = [id, version = wanted->version, is_async = prefers_async(request),
                                     actor = AuditActor{to_text(request.principal), request.client},
                                     &context](std::vector<FileRecord> files, auto* room) {
                              const AuditScope scope(actor);
                              std::vector<IgnoredFile> ignored;
                              const auto created = context.services.ingest.ingest_version(
                                  id, version, std::move(files), &ignored, room);
                              return version_response(created, ignored, is_async);
                          }};
    co_return co_await take_upload(request, std::move(wanted->file_name), std::move(purpose), body, context);
}

HandlerResult restore_version(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto number = parse_version(request.param("n"));
    if (!number) return problem(404, "not_found", "This asset has no such version.");
    return version_response(
        context.services.catalog.restore_version(request.param("id"), *number, read_if_match(request)), {},
        prefers_async(request));
}

} // namespace vitrine::server
