// Findings as SARIF 2.1.0 (Static Analysis Results Interchange Format, OASIS).
#include <array>
#include <string>

#include <boost/json/array.hpp>

#include "api/check_report.hpp"
#include "api/json_text.hpp"

namespace vitrine::api {
namespace {

namespace json = boost::json;

std::string_view level_of(scene::Severity severity)
{
    return severity == scene::Severity::off ? "none" : scene::to_string(severity);
}

json::object text_json(std::string_view text)
{
    return {{"text", text}};
}

json::array rules_json()
{
    json::array rules;
    for (const auto& rule : scene::all_rules())
        rules.push_back(json::object{
            {"id", rule.id},
            {"shortDescription", text_json(rule.summary)},
            {"defaultConfiguration", json::object{{"enabled", rule.severity != scene::Severity::off},
                                                  {"level", level_of(rule.severity)}}}});
    return rules;
}

// A URI reference (RFC 3986): escapes everything but unreserved characters and the separators of a path.
std::string uri_of(std::string_view path)
{
    constexpr std::string_view digits = "0123456789ABCDEF", unescaped = "-._~/";
    std::string uri = path.starts_with('/') ? "file://" : "";
    for (const char c : path) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (is_plain || unescaped.contains(c)) {
            uri += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        uri += {'%', digits[byte >> 4u], digits[byte & 15u]};
    }
    return uri;
}

json::array locations_json(const std::string& file, const std::string& path)
{
    json::object location{
        {"physicalLocation", json::object{{"artifactLocation", json::object{{"uri", uri_of(file)}}}}}};
    if (!path.empty()) location["logicalLocations"] = json::array{json::object{{"fullyQualifiedName", path}}};
    return {std::move(location)};
}

json::object result_json(const CheckedModel& model, const scene::Finding& finding)
{
    return {{"ruleId", scene::info_of(finding.rule).id},
            {"ruleIndex", static_cast<std::size_t>(finding.rule)},
            {"level", level_of(finding.severity)},
            {"message", text_json(finding.message)},
            {"locations", locations_json(model.name, finding.path)},
            {"properties", json::object{{"value", finding_json(finding).at("value")},
                                        {"limit", finding_json(finding).at("limit")}}}};
}

json::object notification_json(const CheckedModel& model)
{
    return {{"descriptor", json::object{{"id", model.failure_code}}},
            {"level", "error"},
            {"message", text_json(model.failure)},
            {"locations", locations_json(model.name, "")}};
}

} // namespace

json::object sarif_json(std::string_view version, std::span<const CheckedModel> models)
{
    json::array results, notifications;
    for (const auto& model : models) {
        if (!model.failure.empty()) notifications.push_back(notification_json(model));
        for (const auto& finding : model.findings)
            results.push_back(result_json(model, finding));
    }
    const bool successful = notifications.empty();
    json::object driver{{"name", "vitrine"}, {"version", version}, {"rules", rules_json()}};
    json::object run{
        {"tool", json::object{{"driver", std::move(driver)}}},
        {"invocations", json::array{json::object{{"executionSuccessful", successful},
                                                 {"toolExecutionNotifications", std::move(notifications)}}}},
        {"results", std::move(results)},
        {"columnKind", "unicodeCodePoints"}};
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", json::array{std::move(run)}}};
}

} // namespace vitrine::api
