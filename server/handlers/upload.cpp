#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "server/handlers/common.hpp"
#include "server/handlers/deferred/deferred_response.hpp"
#include "server/handlers/handlers.hpp"
#include "server/net/accept.hpp"
#include "server/net/async.hpp"
#include "server/routing/fields/trace_context.hpp"
#include "server/routing/idempotency.hpp"
#include "server/routing/query_reader.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/events/event_bus.hpp"
#include "server/services/organization/collection_uploads.hpp"
#include "server/services/visibility/visibility.hpp"
#include "server/tracing/trace_scope.hpp"
#include "server/uploads/named_uploads.hpp"
#include "server/uploads/upload_sinks.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

struct UploadParameters {
    std::optional<std::string> name{};
    std::string_view priority{}; // empty: by the number of models
    std::string collection{};    // of the new assets; empty: none
};

std::expected<UploadParameters, api::Problem> read_upload_parameters(const Request& request)
{
    QueryReader reader(request);
    UploadParameters parameters{.name = reader.text("name")};
    parameters.priority =
        reader
            .choice<std::string_view>(
                "priority", {{interactive_priority, interactive_priority}, {bulk_priority, bulk_priority}})
            .value_or("");
    parameters.collection = reader.text("collection").value_or("");
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    return parameters;
}

// Returns a text that identifies the parts of an upload, independent of their order.
std::string content_of(std::vector<FileRecord> files)
{
    std::ranges::sort(files, {}, [](const FileRecord& file) { return std::tie(file.name, file.blob); });
    Sha256 hash;
    for (const auto& file : files)
        hash.update(file.blob + file.name + std::string(1, '\0'));
    return hash.finish();
}

// Of the first asset that is new.
const std::string& new_job_of(const std::vector<Created>& created)
{
    return std::ranges::find(created, false, &Created::existing)->job.id;
}

HandlerResult ingest(std::vector<FileRecord> files, StorageQuota::Reservation* room,
                     const UploadParameters& parameters, bool is_async, Context& context)
{
    std::vector<IgnoredFile> ignored;
    auto& catalog = context.services.catalog;
    const auto create = [&](std::span<const NewAsset> assets) -> Result<std::vector<Created>> {
        if (parameters.collection.empty()) return catalog.create_assets(assets, parameters.priority);
        return create_assets_in(catalog, parameters.collection, assets, parameters.priority);
    };
    auto created = context.services.ingest.ingest(std::move(files), &ignored, create, room);
    if (!created) return problem(created.error());
    if (!sees_everything())
        for (auto& one : *created)
            one.asset.field_values.clear(); // as hide_custom_fields() does
    bool known = std::all_of(created->begin(), created->end(), [](const auto& one) { return one.existing; });
    auto response = json_response(known ? 200 : 201, api::upload_json(*created, ignored));
    if (created->size() == 1) response.headers.add("Location", "/v1/assets/" + created->front().asset.id);
    if (is_async && !known) answer_async(response, new_job_of(*created));
    return response;
}

constexpr std::size_t max_names_bytes = 1 << 20; // of a body that names uploads

bool is_json(const Request& request)
{
    return media_type_of(request.headers.find("Content-Type").value_or("")) == "application/json";
}

HandlerResult ingest_named(const std::vector<NamedUpload>& named, const UploadPurpose& purpose,
                           Context& context)
{
    auto read = read_named_uploads(named, context);
    if (!read) return std::unexpected(read.error());
    auto response = purpose.ingest(std::move(read->files), nullptr);
    if (!response) return response;
    for (const auto& upload : read->uploads)
        context.services.uploads.remove(upload);
    return response;
}

asio::awaitable<HandlerResult> take_named(UploadPurpose purpose, std::string trace, BodySource& body,
                                          Context& context)
{
    std::string text;
    for (auto piece = co_await body.next(); !piece.empty(); piece = co_await body.next()) {
        if (piece.size() > max_names_bytes - text.size())
            co_return problem(413, "body_too_large", "The body is longer than this route accepts.");
        text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    }
    auto named = parse_named_uploads(text, context.limits.max_upload_files);
    if (!named) co_return std::unexpected(named.error());
    co_return co_await run_on_pool(context.uploads_pool, [&] {
        const TraceScope scope(trace);
        const auto content = purpose.key.empty() ? std::string() : purpose.target + content_of(*named);
        return run_idempotent(purpose.key, content, context,
                              [&] { return ingest_named(*named, purpose, context); });
    });
}

} // namespace

asio::awaitable<HandlerResult> take_upload(Request& request, std::optional<std::string> name,
                                           UploadPurpose purpose, BodySource& body, Context& context)
{
    std::string trace(trace_id_of(request.headers));
    if (is_json(request)) {
        if (name) co_return problem(400, "bad_query", "name is the name of a body that is one file.");
        co_return co_await take_named(std::move(purpose), std::move(trace), body, context);
    }
    auto received = co_await receive_upload(request, std::move(name), UploadUse::stored, body, context);
    if (!received) co_return std::unexpected(received.error());
    co_return co_await run_on_pool(context.scenes_pool, [sink = *received, &context, trace = std::move(trace),
                                                         purpose = std::move(purpose)] {
        const TraceScope scope(trace);
        const auto content = purpose.key.empty() ? std::string() : purpose.target + content_of(sink->files);
        return run_idempotent(purpose.key, content, context, [&] {
            return purpose.ingest(std::move(sink->files), sink->room ? &*sink->room : nullptr);
        });
    });
}

namespace {

// Before the body is received. Who writes by grants uploads into a collection.
asio::awaitable<std::optional<api::Problem>> check_place(const UploadParameters& parameters,
                                                         const SharedVisibility& visible, Context& context)
{
    if (parameters.collection.empty()) {
        if (!visible) co_return std::nullopt;
        co_return role_problem(Role::editor, "Name a collection of yours: uploads without one require the "
                                             "role editor for the library.");
    }
    const auto found = co_await run_on_pool(context.catalog_pool, [&] {
        const VisibilityScope seen(visible);
        return context.services.collections.find(parameters.collection);
    });
    co_return found ? std::nullopt : std::optional(to_problem(found.error()));
}

} // namespace

asio::awaitable<HandlerResult> create_assets(Request& request, BodySource& body, Context& context)
{
    auto key = read_idempotency_key(request);
    if (!key) co_return std::unexpected(key.error());
    auto parameters = read_upload_parameters(request);
    if (!parameters) co_return std::unexpected(parameters.error());
    const auto visible = visibility_of(request.principal, Access::write);
    if (auto rejection = co_await check_place(*parameters, visible, context))
        co_return std::unexpected(std::move(*rejection));
    const bool is_async = prefers_async(request);
    const auto target = parameters->collection.empty() ? std::string() : parameters->collection + "\n";
    UploadPurpose purpose{
        .key = std::move(*key),
        .target = target,
        .ingest = [parameters = *parameters, visible, is_async, &context,
                   actor = AuditActor{to_text(request.principal), request.client}](auto files, auto* room) {
            const AuditScope scope(actor);
            const VisibilityScope seen(visible);
            return ingest(std::move(files), room, parameters, is_async, context);
        }};
    co_return co_await take_upload(request, std::move(parameters->name), std::move(purpose), body, context);
}

} // namespace vitrine::server
