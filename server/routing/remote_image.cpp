#include "server/routing/remote_image.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "api/json_text.hpp"
#include "server/routing/context.hpp"
#include "server/routing/problems.hpp"
#include "server/services/storage/scene_changes.hpp"

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
std::optional<Query> parse_query(const json::object& order)
{
    const auto* const pairs = order.if_contains("query");
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

std::int64_t number_of(const json::object& object, std::string_view key)
{
    const auto* const value = object.if_contains(key);
    return value != nullptr && value->is_int64() ? value->as_int64() : 0;
}

} // namespace

std::string order_text(const Request& request, const DerivedKey* key)
{
    json::array query;
    for (const auto& [name, value] : request.target.query)
        query.push_back(json::array{name, value});
    json::object order{{"path", request.target.path}, {"query", std::move(query)}};
    if (const auto accept = request.headers.find("Accept")) order["accept"] = *accept;
    if (key != nullptr)
        order["key"] = {{"hash", key->content_hash},
                        {"kind", key->kind},
                        {"parameters", key->parameters},
                        {"revision", key->revision}};
    return json::serialize(order);
}

std::optional<DerivedKey> parse_order_key(std::string_view text)
{
    const auto order = parse_object(text);
    const auto* const member = order.if_contains("key");
    if (member == nullptr || !member->is_object()) return std::nullopt;
    const auto& object = member->as_object();
    return DerivedKey{.content_hash = api::text_of(object, "hash"),
                      .kind = api::text_of(object, "kind"),
                      .parameters = api::text_of(object, "parameters"),
                      .revision = static_cast<std::uint32_t>(number_of(object, "revision"))};
}

std::optional<Request> parse_order(std::string_view text)
{
    const auto order = parse_object(text);
    auto target = parse_target(api::text_of(order, "path"));
    auto query = parse_query(order);
    if (!target || !query) return std::nullopt;
    Request request{.method_name = "GET", .target = std::move(*target)};
    request.target.query = std::move(*query);
    if (auto accept = api::text_of(order, "accept"); !accept.empty())
        request.headers.add("Accept", std::move(accept));
    return request;
}

DrawOutcome to_outcome(const api::Problem& problem)
{
    auto document = api::to_json(problem);
    document["retryAfter"] = problem.retry_after_s;
    return {.status = problem.status,
            .content_type = "application/problem+json",
            .body = json::serialize(document)};
}

api::Problem parse_problem(const DrawOutcome& outcome)
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

std::expected<DrawOutcome, api::Problem> draw_remotely(const Request& request, Context& context,
                                                       const AssetRecord& asset, const std::string& id,
                                                       const DerivedKey* key)
{
    if (asset.posted)
        return problem(503, "no_device",
                       "This server has no device for models in a request; upload the model and ask for "
                       "its image.");
    const auto* const shared_key = context.services.derived.is_shared() ? key : nullptr;
    const bool is_sequence = key != nullptr && key->kind == "sequence"; // after stills
    auto outcome =
        context.services.remote_drawing.draw({.id = id,
                                              .model = std::string(quarantine_group(asset.content_hash)),
                                              .request = order_text(request, shared_key),
                                              .priority = is_sequence ? 1u : 0u},
                                             asset.content_hash);
    if (!outcome) return problem(outcome.error());
    if (outcome->status != 200) return std::unexpected(parse_problem(*outcome));
    return std::move(*outcome);
}

} // namespace vitrine::server
