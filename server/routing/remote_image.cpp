#include "server/routing/remote_image.hpp"

#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "api/json_text.hpp"
#include "server/net/async.hpp"
#include "server/routing/arriving_body.hpp"
#include "server/routing/context.hpp"
#include "server/routing/fields/trace_context.hpp"
#include "server/routing/problems.hpp"
#include "server/services/storage/scene_changes.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

json::object parse_object(std::string_view text)
{
    boost::system::error_code error;
    auto value = json::parse(json::string_view(text.data(), text.size()), error);
    return !error && value.is_object() ? std::move(value.as_object()) : json::object();
}

// [["name", "value"], ...]; empty optional: anything else.
std::optional<Query> parse_query(const json::object& remote)
{
    const auto* const pairs = remote.if_contains("query");
    if (pairs == nullptr || !pairs->is_array()) return std::nullopt;
    Query query;
    for (const auto& pair : pairs->as_array()) {
        const auto* const texts = pair.if_array();
        if (texts == nullptr || texts->size() != 2 || !texts->front().is_string() ||
            !texts->back().is_string())
            return std::nullopt;
        query.emplace_back(texts->front().as_string(), texts->back().as_string());
    }
    return query;
}

// The field may have any byte, a column of text only those of UTF-8. No other byte is part of a name of an
// image format, so that the same one is chosen.
std::string ascii_of(std::string_view field)
{
    std::string text(field);
    std::ranges::replace_if(text, [](char c) { return static_cast<unsigned char>(c) > 0x7e; }, '?');
    return text;
}

std::int64_t number_of(const json::object& object, std::string_view key)
{
    const auto* const value = object.if_contains(key);
    return value != nullptr && value->is_int64() ? value->as_int64() : 0;
}

// The members of an array that are objects.
std::vector<json::object> objects_of(const json::object& object, std::string_view key)
{
    std::vector<json::object> found;
    if (const auto* const list = object.if_contains(key); list != nullptr && list->is_array())
        for (const auto& entry : list->as_array())
            if (entry.is_object()) found.push_back(entry.as_object());
    return found;
}

} // namespace

std::string remote_request_text(const Request& request, const DerivedKey* key)
{
    json::array query;
    for (const auto& [name, value] : request.target.query)
        query.push_back(json::array{name, value});
    json::object remote{{"path", request.target.path}, {"query", std::move(query)}};
    if (const auto accept = request.headers.find("Accept")) remote["accept"] = ascii_of(*accept);
    if (const auto trace = trace_id_of(request.headers); !trace.empty()) remote["trace"] = trace;
    if (key != nullptr)
        remote["key"] = {{"hash", key->content_hash},
                         {"kind", key->kind},
                         {"parameters", key->parameters},
                         {"revision", key->revision}};
    return json::serialize(remote);
}

std::optional<DerivedKey> parse_remote_request_key(std::string_view text)
{
    const auto remote = parse_object(text);
    const auto* const member = remote.if_contains("key");
    if (member == nullptr || !member->is_object()) return std::nullopt;
    const auto& object = member->as_object();
    return DerivedKey{.content_hash = api::text_of(object, "hash"),
                      .kind = api::text_of(object, "kind"),
                      .parameters = api::text_of(object, "parameters"),
                      .revision = static_cast<std::uint32_t>(number_of(object, "revision"))};
}

std::string remote_request_text(const Request& request, const std::vector<NewAsset>& models,
                                const std::string& place)
{
    json::array list;
    for (const auto& model : models) {
        json::array files;
        for (const auto& file : model.files)
            files.push_back(
                json::object{{"name", file.name}, {"blob", file.blob}, {"bytes", file.size_bytes}});
        list.push_back(
            json::object{{"name", model.name}, {"main", model.main_file}, {"files", std::move(files)}});
    }
    auto remote = parse_object(remote_request_text(request));
    remote["models"] = std::move(list);
    remote["place"] = place;
    return json::serialize(remote);
}

std::string parse_remote_request_trace(std::string_view text)
{
    return api::text_of(parse_object(text), "trace");
}

std::string parse_remote_request_place(std::string_view text)
{
    return api::text_of(parse_object(text), "place");
}

std::vector<std::string> blobs_of(const std::vector<NewAsset>& models)
{
    std::vector<std::string> blobs;
    for (const auto& model : models)
        for (const auto& file : model.files)
            blobs.push_back(file.blob);
    return blobs;
}

std::vector<NewAsset> parse_remote_request_models(std::string_view text)
{
    const auto remote = parse_object(text);
    std::vector<NewAsset> models;
    for (const auto& entry : objects_of(remote, "models")) {
        auto& model = models.emplace_back(NewAsset{
            .name = api::text_of(entry, "name"), .main_file = api::text_of(entry, "main"), .files = {}});
        for (const auto& file : objects_of(entry, "files"))
            model.files.push_back({.name = api::text_of(file, "name"),
                                   .blob = api::text_of(file, "blob"),
                                   .size_bytes = static_cast<std::uint64_t>(number_of(file, "bytes"))});
    }
    return models;
}

std::optional<Request> parse_remote_request(std::string_view text)
{
    const auto remote = parse_object(text);
    auto target = parse_target(api::text_of(remote, "path"));
    auto query = parse_query(remote);
    if (!target || !query) return std::nullopt;
    Request request{.method_name = "GET", .target = std::move(*target)};
    request.target.query = std::move(*query);
    if (auto accept = api::text_of(remote, "accept"); !accept.empty())
        request.headers.add("Accept", std::move(accept));
    return request;
}

RemoteRenderResult to_outcome(const api::Problem& problem)
{
    auto document = api::to_json(problem);
    document["retryAfter"] = problem.retry_after_s;
    return {.status = problem.status,
            .content_type = "application/problem+json",
            .body = json::serialize(document)};
}

api::Problem parse_problem(const RemoteRenderResult& outcome)
{
    const auto document = parse_object(outcome.body);
    api::Problem problem{.status = outcome.status,
                         .code = api::text_of(document, "code"),
                         .detail = api::text_of(document, "detail"),
                         .where = api::text_of(document, "where")};
    problem.retry_after_s = static_cast<unsigned>(number_of(document, "retryAfter"));
    if (outcome.status < 400 || problem.code.empty())
        return {.status = 503,
                .code = "not_drawn",
                .detail = "The worker has not drawn the image; try again later.",
                .retry_after_s = 1};
    if (const auto* const errors = document.if_contains("errors"); errors != nullptr && errors->is_array())
        for (const auto& error : errors->as_array())
            if (error.is_object())
                problem.errors.push_back({.pointer = api::text_of(error.as_object(), "pointer"),
                                          .detail = api::text_of(error.as_object(), "detail")});
    return problem;
}

asio::awaitable<HandlerResult> wait_for_worker(Context& context, Pool pool,
                                               const std::function<HandlerResult(Context&)>& answer)
{
    auto waiting = context;
    waiting.may_block = true;
    auto& waits = pool == Pool::exports ? context.image_waits.others : context.image_waits.stills;
    const InFlight counted(waits.waiting);
    if (waits.waiting <= waits.limit)
        co_return co_await run_on_pool(waits.threads, [&] { return answer(waiting); });
    co_return problem(ServiceError{Errc::busy, "render_queue_full", "",
                                   "Too many images are being waited for; try again later.", 2});
}

void require_blocking_thread(const Context& context)
{
    if (!context.may_block) throw WouldBlock();
}

std::expected<RemoteRenderResult, api::Problem> draw_remotely(const Request& request, Context& context,
                                                              const AssetRecord& asset,
                                                              const RemoteImageRequest& remote)
{
    const auto* const shared_key = context.services.derived.is_shared() ? remote.key : nullptr;
    const bool is_sequence = remote.key != nullptr && remote.key->kind == "sequence"; // after stills
    auto outcome =
        context.services.remote_renderer.draw({.id = sha256_hex(remote.id + ' ' + asset.id),
                                               .model = std::string(quarantine_group(asset.content_hash)),
                                               .request = remote_request_text(request, shared_key),
                                               .priority = is_sequence ? 1u : 0u,
                                               .etag = remote.etag},
                                              asset.content_hash);
    if (!outcome) return problem(outcome.error());
    if (outcome->status != 200) return std::unexpected(parse_problem(*outcome));
    return std::move(*outcome);
}

} // namespace vitrine::server
