#include "server/handlers/access/access_routes.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <set>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "api/json_text.hpp"
#include "api/resources.hpp"
#include "server/net/http.hpp"
#include "server/routing/context.hpp"
#include "server/routing/problems.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/services.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

// Digits alone; empty: it is something else.
std::optional<int> digits_at(std::string_view text, std::size_t at, std::size_t count)
{
    int value = 0;
    const auto* const first = text.data() + at;
    const auto [end, error] = std::from_chars(first, first + count, value);
    if (error != std::errc() || end != first + count || value < 0) return std::nullopt;
    return value;
}

// Microseconds since the begin of the second: ".5" or nothing, then "Z".
std::optional<Micros> parse_fraction(std::string_view text)
{
    if (!text.ends_with('Z') || text.size() > 8) return std::nullopt;
    text.remove_suffix(1);
    if (text.empty()) return 0;
    if (text.front() != '.' || text.size() < 2) return std::nullopt;
    const auto fraction = digits_at(text, 1, text.size() - 1);
    if (!fraction) return std::nullopt;
    Micros value = *fraction;
    for (auto digits = text.size() - 1; digits < 6; ++digits)
        value *= 10;
    return value;
}

// "2026-11-28T09:30:00Z", with up to six digits after the seconds (RFC 3339, in UTC).
std::optional<Micros> parse_time(std::string_view text)
{
    constexpr std::string_view form = "0000-00-00T00:00:00";
    if (text.size() < form.size()) return std::nullopt;
    for (std::size_t i = 0; i < form.size(); ++i)
        if (form[i] != '0' && form[i] != text[i]) return std::nullopt;
    std::array<int, 6> parts{};
    constexpr std::array<std::pair<std::size_t, std::size_t>, 6> places{
        {{0, 4}, {5, 2}, {8, 2}, {11, 2}, {14, 2}, {17, 2}}};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto number = digits_at(text, places[i].first, places[i].second);
        if (!number) return std::nullopt;
        parts[i] = *number;
    }
    using namespace std::chrono;
    const year_month_day day{year(parts[0]), month(static_cast<unsigned>(parts[1])),
                             std::chrono::day(static_cast<unsigned>(parts[2]))};
    const auto fraction = parse_fraction(text.substr(form.size()));
    if (!day.ok() || parts[3] > 23 || parts[4] > 59 || parts[5] > 60 || !fraction) return std::nullopt;
    const auto instant = sys_days(day) + hours(parts[3]) + minutes(parts[4]) + seconds(parts[5]);
    return microseconds(instant.time_since_epoch()).count() + *fraction;
}

// Reads one parameter; returns why it is wrong, as the end of a sentence, or empty.
std::string read_parameter(std::string_view name, const std::string& value, AuditQuery& query)
{
    if (name == "action" || name == "principal" || name == "cursor") {
        if (value.empty() || value.size() > 200) return "must have 1 to 200 bytes";
        (name == "action" ? query.action : name == "cursor" ? query.cursor : query.principal) = value;
        return {};
    }
    if (name == "from" || name == "to") {
        const auto time = parse_time(value);
        (name == "from" ? query.from : query.to) = time;
        return time ? "" : "must be a time such as 2026-11-28T09:30:00Z";
    }
    if (name != "limit") return "is no parameter of this route";
    const auto limit = value.size() <= 3 ? digits_at(value, 0, value.size()) : std::nullopt;
    if (!limit || *limit < 1 || *limit > 500) return "must be a number from 1 to 500";
    query.limit = static_cast<std::size_t>(*limit);
    return {};
}

std::expected<AuditQuery, api::Problem> read_query(const Request& request)
{
    api::Problem rejection{.status = 400, .code = "bad_query", .detail = "The parameters are not valid."};
    AuditQuery query;
    std::set<std::string_view> known;
    for (const auto& [name, value] : request.target.query) {
        const auto why = known.insert(name).second ? read_parameter(name, value, query) : "is given twice";
        if (!why.empty())
            rejection.errors.push_back({.pointer = "/query/" + name, .detail = name + " " + why});
    }
    if (!rejection.errors.empty()) return std::unexpected(rejection);
    return query;
}

json::object to_json(const AuditEntry& entry)
{
    return {{"id", entry.id},
            {"time", api::to_rfc3339(entry.time)},
            {"principal", entry.actor.principal},
            {"address", entry.actor.address},
            {"action", entry.action},
            {"subject", entry.subject},
            {"detail", entry.detail}};
}

} // namespace

HandlerResult list_audit(const Request& request, Context& context)
{
    const auto query = read_query(request);
    if (!query) return std::unexpected(query.error());
    const auto page = context.services.audit.list(*query);
    if (!page) return problem(400, "bad_cursor", "This is no cursor of the audit log.");
    json::array items;
    for (const auto& entry : page->items)
        items.push_back(to_json(entry));
    const auto next = page->next.empty() ? json::value() : json::value(page->next);
    auto response = text_response(200, "application/json",
                                  api::to_text(json::object{{"items", std::move(items)}, {"next", next}}));
    response.headers.add("Cache-Control", "no-cache");
    return response;
}

} // namespace vitrine::server
