#include "api/check_report.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"

namespace vitrine::api {
namespace {

namespace json = boost::json;
using scene::Finding;
using scene::Severity;

json::value value_json(const scene::FindingValue& value)
{
    return std::visit(
        []<class Value>(const Value& held) -> json::value {
            if constexpr (std::is_same_v<Value, std::monostate>)
                return nullptr;
            else if constexpr (std::is_same_v<Value, double>)
                return number(held);
            else
                return json::value(held);
        },
        value);
}

json::object counts_json(std::span<const Finding> findings)
{
    json::object counts;
    for (const auto severity : {Severity::error, Severity::warning, Severity::note})
        counts[scene::to_string(severity)] = std::ranges::count(findings, severity, &Finding::severity);
    return counts;
}

json::array items_json(std::span<const Finding> findings)
{
    json::array items;
    for (const auto& finding : findings)
        items.push_back(finding_json(finding));
    return items;
}

std::string escaped_xml(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? ' ' : c;
    }
    for (const std::string_view forbidden : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) // U+FFFE and U+FFFF
        for (std::size_t at = out.find(forbidden); at != std::string::npos; at = out.find(forbidden, at))
            out.replace(at, forbidden.size(), "?");
    return out;
}

// A case that failed, with a line for each finding of its rule.
std::string junit_case(std::string_view suite, std::string_view rule, std::string_view kind,
                       std::string_view message, std::string_view lines)
{
    return fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n      <{} message=\"{}\" "
                       "type=\"{}\">{}</{}>\n    </testcase>\n",
                       suite, rule, kind, escaped_xml(message), rule, escaped_xml(lines), kind);
}

std::string junit_suite(const CheckedModel& model, Severity least)
{
    const auto suite = escaped_xml(model.name);
    std::map<scene::Rule, std::vector<const Finding*>> by_rule;
    for (const auto& finding : model.findings)
        if (finding.severity >= least) by_rule[finding.rule].push_back(&finding);
    std::string cases;
    for (const auto& [rule, findings] : by_rule) {
        std::string lines;
        for (const auto* finding : findings)
            lines += finding->path + ": " + finding->message + "\n";
        cases += junit_case(suite, scene::info_of(rule).id, "failure", findings.front()->message, lines);
    }
    const bool unreadable = !model.failure.empty();
    if (unreadable) cases = junit_case(suite, "load", "error", model.failure, model.failure_code);
    if (cases.empty()) cases = fmt::format("    <testcase classname=\"{}\" name=\"check\"/>\n", suite);
    return fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n{}  </testsuite>\n", suite,
        std::max<std::size_t>(unreadable ? 1 : by_rule.size(), 1), unreadable ? 0 : by_rule.size(),
        unreadable ? 1 : 0, cases);
}

} // namespace

json::object finding_json(const Finding& finding)
{
    return {{"rule", scene::info_of(finding.rule).id},
            {"severity", scene::to_string(finding.severity)},
            {"path", finding.path},
            {"value", value_json(finding.value)},
            {"limit", value_json(finding.limit)},
            {"message", finding.message}};
}

json::object findings_json(std::string_view profile, std::span<const Finding> findings)
{
    return {{"profile", profile}, {"counts", counts_json(findings)}, {"items", items_json(findings)}};
}

json::object check_json(std::string_view profile, std::span<const CheckedModel> models)
{
    json::array files;
    for (const auto& model : models) {
        if (model.failure.empty())
            files.push_back(json::object{{"file", model.name},
                                         {"counts", counts_json(model.findings)},
                                         {"items", items_json(model.findings)}});
        else
            files.push_back(json::object{
                {"file", model.name},
                {"problem", json::object{{"code", model.failure_code}, {"detail", model.failure}}}});
    }
    return {{"profile", profile}, {"files", std::move(files)}};
}

std::string junit_text(std::span<const CheckedModel> models, Severity least)
{
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"vitrine check\">\n";
    for (const auto& model : models)
        text += junit_suite(model, least);
    return text + "</testsuites>\n";
}

std::string check_text(std::span<const CheckedModel> models, Severity least)
{
    std::string text;
    for (const auto& model : models)
        for (const auto& finding : model.findings)
            if (finding.severity >= least)
                text += fmt::format("{}: {} {}: {}\n", model.name, scene::to_string(finding.severity),
                                    scene::info_of(finding.rule).id, finding.message);
    return text;
}

} // namespace vitrine::api
