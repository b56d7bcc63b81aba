#include "server/handlers/webhooks/webhook_routes.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "api/resources.hpp"
#include "loaders/base/parse_whole.hpp"
#include "server/net/http.hpp"
#include "server/routing/context.hpp"
#include "server/routing/problems.hpp"
#include "server/services/services.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::size_t max_page = 500;

json::value time_or_null(Micros time)
{
    return time == 0 ? json::value() : json::value(api::to_rfc3339(time));
}

json::value text_or_null(const std::string& text)
{
    return text.empty() ? json::value() : json::value(text);
}

json::object to_json(const Webhook& webhook)
{
    return {{"id", webhook.id},
            {"url", webhook.url},
            {"events", json::array(webhook.events.begin(), webhook.events.end())},
            {"description", webhook.description},
            {"disabled", !webhook.disabled.empty()},
            {"disabledBy", text_or_null(webhook.disabled)},
            {"formerSecretUntil", time_or_null(webhook.former_secret_until)},
            {"createdAt", api::to_rfc3339(webhook.created)},
            {"createdBy", webhook.created_by},
            {"updatedAt", api::to_rfc3339(webhook.updated)}};
}

json::object to_json(const CreatedWebhook& created)
{
    auto object = to_json(created.webhook);
    object["secret"] = created.secret;
    return object;
}

json::object to_json(const WebhookDelivery& delivery)
{
    json::value problem;
    if (!delivery.problem_code.empty())
        problem = json::object{{"code", delivery.problem_code}, {"detail", delivery.problem_detail}};
    return {{"id", delivery.id},
            {"webhook", delivery.webhook},
            {"type", delivery.type},
            {"state", to_string(delivery.state)},
            {"attempts", delivery.attempts},
            {"status", delivery.status == 0 ? json::value() : json::value(delivery.status)},
            {"problem", std::move(problem)},
            {"createdAt", api::to_rfc3339(delivery.created)},
            {"attemptedAt", time_or_null(delivery.attempted)},
            {"nextAttemptAt", time_or_null(delivery.next)},
            {"finishedAt", time_or_null(delivery.finished)}};
}

Response webhook_response(int status, const json::value& value, std::string_view caching = "no-cache")
{
    auto response = text_response(status, "application/json", api::to_text(value));
    response.headers.add("Cache-Control", std::string(caching));
    return response;
}

// The response to a request whose service call has returned this.
template <class Value>
HandlerResult answer(const Result<Value>& result, int status, std::string_view caching = "no-cache")
{
    if (!result) return problem(result.error());
    return webhook_response(status, to_json(*result), caching);
}

std::optional<api::Problem> reject_parameters(const Request& request)
{
    if (request.target.query.empty()) return std::nullopt;
    return api::Problem{.status = 400, .code = "bad_query", .detail = "This route has no query parameters."};
}

// Returns why the parameter is wrong, as the end of a sentence, or empty.
std::string read_parameter(std::string_view name, const std::string& value, DeliveryQuery& query)
{
    if (name == "cursor") {
        query.before = value;
        return value.starts_with("msg_") ? "" : "must be one that this server sent";
    }
    if (name == "state") {
        query.state = parse_delivery_state(value);
        return query.state ? "" : "must be one of queued, running, delivered, dead";
    }
    if (name != "limit") return "is no parameter of this route";
    const auto limit = parse_whole<std::size_t>(value);
    if (!limit || *limit < 1 || *limit > max_page) return fmt::format("must be 1 to {}", max_page);
    query.limit = *limit;
    return {};
}

std::expected<DeliveryQuery, api::Problem> read_delivery_query(const Request& request)
{
    api::Problem rejection{.status = 400, .code = "bad_query", .detail = "The query is not valid."};
    DeliveryQuery query;
    for (const auto& [name, value] : request.target.query)
        if (const auto why = read_parameter(name, value, query); !why.empty())
            rejection.errors.push_back(
                {.pointer = "/query/" + name, .detail = fmt::format("{} {}", name, why)});
    if (!rejection.errors.empty()) return std::unexpected(rejection);
    return query;
}

std::string next_page(const Request& request, const std::string& cursor)
{
    auto url = request.target.path + "?";
    for (const auto& [name, value] : request.target.query)
        if (name != "cursor") url += percent_encode(name) + "=" + percent_encode(value) + "&";
    return url + "cursor=" + cursor;
}

} // namespace

HandlerResult list_webhooks(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    json::array items;
    for (const auto& webhook : context.services.webhooks.list())
        items.push_back(to_json(webhook));
    return webhook_response(200, json::object{{"items", std::move(items)}});
}

HandlerResult create_webhook(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    auto wanted = read_webhook(request, context.services.webhook_sender.options().allow_private);
    if (!wanted) return std::unexpected(wanted.error());
    if (wanted->disabled == std::optional(true))
        return problem(400, "bad_body", "A new webhook is enabled; disable it afterwards.");
    const auto created =
        context.services.webhooks.create({.url = *wanted->url,
                                          .events = wanted->events.value_or(std::vector<std::string>()),
                                          .description = wanted->description.value_or(""),
                                          .created_by = to_text(request.principal)});
    return answer(created, 201, "no-store");
}

HandlerResult get_webhook(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    return answer(context.services.webhooks.find(request.param("id")), 200);
}

HandlerResult change_webhook(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto change = read_webhook(request, context.services.webhook_sender.options().allow_private);
    if (!change) return std::unexpected(change.error());
    return answer(context.services.webhooks.change(request.param("id"), *change), 200);
}

HandlerResult delete_webhook(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto removed = context.services.webhooks.remove(request.param("id"));
    if (!removed) return problem(removed.error());
    return Response{.status = 204};
}

HandlerResult rotate_webhook_secret(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto overlap = read_overlap(request);
    if (!overlap) return std::unexpected(overlap.error());
    return answer(context.services.webhooks.rotate(request.param("id"), *overlap), 200, "no-store");
}

HandlerResult test_webhook(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    return answer(context.services.webhook_sender.queue().add_test(request.param("id")), 202);
}

HandlerResult list_webhook_deliveries(const Request& request, Context& context)
{
    auto query = read_delivery_query(request);
    if (!query) return std::unexpected(query.error());
    const auto wanted = query->limit++; // one more: whether there is a next page
    auto found = context.services.webhook_sender.queue().list(request.param("id"), *query);
    if (!found) return problem(found.error());
    const bool has_more = found->size() > wanted;
    if (has_more) found->pop_back();
    json::array items;
    for (const auto& delivery : *found)
        items.push_back(to_json(delivery));
    const auto next = has_more ? found->back().id : std::string();
    auto response =
        webhook_response(200, json::object{{"items", std::move(items)}, {"next", text_or_null(next)}});
    if (has_more) response.headers.add("Link", fmt::format("<{}>; rel=\"next\"", next_page(request, next)));
    return response;
}

HandlerResult replay_webhook_delivery(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto& queue = context.services.webhook_sender.queue();
    return answer(queue.replay(request.param("id"), request.param("delivery")), 202);
}

} // namespace vitrine::server
