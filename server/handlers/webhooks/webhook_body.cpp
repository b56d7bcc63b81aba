#include "server/handlers/webhooks/webhook_routes.hpp"

#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/net/http.hpp"
#include "server/routing/problems.hpp"
#include "server/services/events/event_types.hpp"
#include "server/services/webhooks/webhook_table.hpp"
#include "server/services/webhooks/webhook_transport.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::chrono::seconds default_overlap{24 * 3600};

// The readers of members return why the value is wrong, as the end of a sentence, or empty.

std::string read_url(const json::value& value, bool allow_private, WebhookChange& change)
{
    if (!value.is_string()) return "must be a string";
    change.url = std::string(value.as_string());
    return url_fault(*change.url, allow_private);
}

std::string read_events(const json::value& value, WebhookChange& change)
{
    const auto wrong = fmt::format("must be a list of different words among asset.*, collection.*, {}",
                                   fmt::join(event_types, ", "));
    if (!value.is_array()) return wrong;
    auto& words = change.events.emplace();
    for (const auto& item : value.as_array()) {
        if (!item.is_string() || !is_event_filter(std::string_view(item.as_string()))) return wrong;
        words.emplace_back(item.as_string());
        if (std::ranges::count(words, words.back()) > 1) return wrong;
    }
    return {};
}

std::string read_description(const json::value& value, WebhookChange& change)
{
    if (!value.is_string()) return "must be a string";
    change.description = std::string(value.as_string());
    const bool has_control = std::ranges::any_of(
        *change.description, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
    if (change.description->size() > max_webhook_description || has_control)
        return fmt::format("must be at most {} bytes without control characters", max_webhook_description);
    return {};
}

std::string read_disabled(const json::value& value, WebhookChange& change)
{
    if (!value.is_bool()) return "must be true or false";
    change.disabled = value.as_bool();
    return {};
}

std::string read_webhook_member(std::string_view key, const json::value& value, bool allow_private,
                                WebhookChange& change)
{
    if (key == "url") return read_url(value, allow_private, change);
    if (key == "events") return read_events(value, change);
    if (key == "description") return read_description(value, change);
    if (key == "disabled") return read_disabled(value, change);
    return "is no member of a webhook";
}

std::expected<json::object, api::Problem> read_object(const Request& request)
{
    if (!request.headers.find("Content-Type").value_or("application/json").starts_with("application/json"))
        return problem(415, "unsupported_media_type", "Send the webhook as application/json.");
    if (request.body.empty()) return json::object();
    boost::system::error_code error;
    auto value = json::parse(request.body, error);
    if (error || !value.is_object()) return problem(400, "bad_json", "The body must be one JSON object.");
    return std::move(value.as_object());
}

void reject_member(api::Problem& rejection, std::string_view key, const std::string& why)
{
    if (!why.empty())
        rejection.errors.push_back(
            {.pointer = fmt::format("/{}", key), .detail = fmt::format("{} {}", key, why)});
}

} // namespace

std::expected<WebhookChange, api::Problem> read_webhook(const Request& request, bool allow_private)
{
    const auto object = read_object(request);
    if (!object) return std::unexpected(object.error());
    api::Problem rejection{.status = 400, .code = "bad_body", .detail = "The body describes no webhook."};
    WebhookChange change;
    for (const auto& [key, value] : *object)
        reject_member(rejection, key, read_webhook_member(key, value, allow_private, change));
    if (request.method == Method::post && !object->contains("url"))
        reject_member(rejection, "url", "is required");
    if (!rejection.errors.empty()) return std::unexpected(rejection);
    return change;
}

std::expected<std::chrono::seconds, api::Problem> read_overlap(const Request& request)
{
    const auto object = read_object(request);
    if (!object) return std::unexpected(object.error());
    api::Problem rejection{.status = 400, .code = "bad_body", .detail = "The body describes no rotation."};
    auto overlap = default_overlap;
    for (const auto& [key, value] : *object) {
        const auto* const seconds = value.if_int64();
        if (key != "overlapSeconds")
            reject_member(rejection, key, "is no member of a rotation");
        else if (seconds == nullptr || *seconds < 0 || *seconds > WebhookTable::max_overlap.count())
            reject_member(
                rejection, key,
                fmt::format("must be a number of seconds, 0 to {}", WebhookTable::max_overlap.count()));
        else
            overlap = std::chrono::seconds(*seconds);
    }
    if (!rejection.errors.empty()) return std::unexpected(rejection);
    return overlap;
}

} // namespace vitrine::server
