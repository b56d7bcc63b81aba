#include "tests/bench/gpu/text_page.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

namespace vitrine::bench {
namespace {

namespace json = boost::json;

std::string bytes_text(double bytes)
{
    for (const auto& [unit, size] :
         {std::pair("GiB", 1073741824.0), std::pair("MiB", 1048576.0), std::pair("KiB", 1024.0)})
        if (bytes >= size) return fmt::format("{:.4g} {}", bytes / size, unit);
    return fmt::format("{:.0f}", bytes);
}

bool counts_bytes(std::string_view name)
{
    return name == "bytes" || name.ends_with("Bytes");
}

std::string cell(std::string_view name, const json::value& value)
{
    if (value.is_string()) return std::string(value.as_string());
    if (value.is_null()) return "-";
    if (value.is_bool()) return value.as_bool() ? "yes" : "no";
    if (value.is_number() && counts_bytes(name)) return bytes_text(value.to_number<double>());
    if (value.is_double()) return fmt::format("{:.4g}", value.as_double());
    return json::serialize(value);
}

bool is_table(const json::value& value)
{
    return value.is_array() && !value.as_array().empty() && value.as_array()[0].is_object();
}

// Columns as wide as their widest cell; numbers to the right.
std::string table(const json::array& rows, std::string_view indent)
{
    std::vector<std::string> names;
    for (const auto& member : rows[0].as_object())
        names.emplace_back(member.key());
    std::vector<std::vector<std::string>> lines{names};
    for (const auto& row : rows) {
        auto& line = lines.emplace_back();
        for (const auto& name : names) {
            const auto* value = row.is_object() ? row.as_object().if_contains(name) : nullptr;
            line.push_back(value != nullptr ? cell(name, *value) : "");
        }
    }
    std::string text;
    for (std::size_t l = 0; l < lines.size(); ++l) {
        text += indent;
        for (std::size_t c = 0; c < names.size(); ++c) {
            std::size_t width = 0;
            for (const auto& line : lines)
                width = std::max(width, line[c].size());
            const bool left = rows[0].as_object().at(names[c]).is_string();
            text += left ? fmt::format("{:<{}}  ", lines[l][c], width)
                         : fmt::format("{:>{}}  ", lines[l][c], width);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }
    return text;
}

void add(std::string& text, const json::object& object, const std::string& indent)
{
    std::size_t width = 0;
    for (const auto& member : object)
        if (!is_table(member.value()) && !member.value().is_object())
            width = std::max(width, member.key().size());
    for (const auto& member : object) {
        const std::string name = member.key();
        if (is_table(member.value()))
            text += fmt::format("{}{}\n{}", indent, name, table(member.value().as_array(), indent + "  "));
        else if (member.value().is_object()) {
            text += fmt::format("{}{}\n", indent, name);
            add(text, member.value().as_object(), indent + "  ");
        } else
            text += fmt::format("{}{:<{}}  {}\n", indent, name, width, cell(name, member.value()));
    }
}

} // namespace

std::string text_page(const json::object& report)
{
    std::string text;
    add(text, report, "");
    return text;
}

} // namespace vitrine::bench
