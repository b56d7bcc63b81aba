#include "server/routing/query_reader.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loaders/base/parse_whole.hpp"

namespace vitrine::server {

namespace {

std::optional<double> parse_finite(std::string_view text)
{
    auto value = parse_whole<double>(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

} // namespace

std::string QueryReader::given_name(std::string_view name) const
{
    const auto own = prefix_ + std::string(name);
    const auto found = std::ranges::find(query_, own, &Query::value_type::first);
    return found != query_.end() ? own : std::string(name);
}

void QueryReader::reject(std::string_view name, std::string why)
{
    const auto given = given_name(name);
    errors_.push_back({.pointer = "/query/" + given, .detail = given + " " + std::move(why)});
}

void QueryReader::merge(const QueryReader& other)
{
    known_.insert(other.known_.begin(), other.known_.end());
    for (const auto& error : other.errors_)
        if (std::ranges::find(errors_, error.detail, &api::FieldError::detail) == errors_.end())
            errors_.push_back(error);
}

std::vector<std::string> QueryReader::texts(std::string_view name)
{
    const auto given = given_name(name);
    known_.emplace(name);
    known_.emplace(given);
    std::vector<std::string> values;
    for (const auto& [key, value] : query_) {
        if (key == given) values.push_back(value);
    }
    return values;
}

std::vector<std::string> QueryReader::names_after(std::string_view prefix) const
{
    std::vector<std::string> names;
    for (const auto& [key, value] : query_)
        if (key.starts_with(prefix) && std::ranges::find(names, key.substr(prefix.size())) == names.end())
            names.push_back(key.substr(prefix.size()));
    return names;
}

std::optional<std::string> QueryReader::text(std::string_view name)
{
    auto values = texts(name);
    if (values.size() > 1) reject(name, "is given more than once");
    if (values.empty()) return std::nullopt;
    return values.front();
}

std::optional<double> QueryReader::number(std::string_view name, double min, double max)
{
    auto value = text(name);
    if (!value) return std::nullopt;
    auto parsed = parse_finite(*value);
    if (parsed && *parsed >= min && *parsed <= max) return parsed;
    reject(name, fmt::format("must be a number from {} to {}", min, max));
    return std::nullopt;
}

std::optional<std::uint64_t> QueryReader::integer(std::string_view name, std::uint64_t min, std::uint64_t max)
{
    auto value = text(name);
    if (!value) return std::nullopt;
    auto parsed = parse_whole<std::uint64_t>(*value);
    if (parsed && *parsed >= min && *parsed <= max) return parsed;
    reject(name, fmt::format("must be a whole number from {} to {}", min, max));
    return std::nullopt;
}

std::optional<bool> QueryReader::flag(std::string_view name)
{
    return choice<bool>(name, {{"true", true}, {"false", false}, {"1", true}, {"0", false}});
}

std::optional<std::vector<double>> QueryReader::numbers(std::string_view name, std::size_t min,
                                                        std::size_t max, char separator)
{
    auto value = text(name);
    if (!value) return std::nullopt;
    std::vector<double> list;
    std::string_view rest = *value;
    for (bool more = true; more;) {
        auto comma = rest.find(separator);
        auto parsed = parse_finite(rest.substr(0, comma));
        if (!parsed || list.size() == max) {
            reject(name, min == max
                             ? fmt::format("must be {} finite numbers, separated by '{}'", min, separator)
                             : fmt::format("must be {} to {} finite numbers, separated by '{}'", min, max,
                                           separator));
            return std::nullopt;
        }
        list.push_back(*parsed);
        more = comma != rest.npos;
        rest.remove_prefix(more ? comma + 1 : 0);
    }
    if (list.size() >= min) return list;
    reject(name, fmt::format("must have at least {} numbers", min));
    return std::nullopt;
}

std::optional<api::Problem> QueryReader::finish()
{
    for (const auto& [key, value] : query_) {
        if (!known_.contains(key)) reject(key, "is not a parameter of this route");
    }
    if (errors_.empty()) return std::nullopt;
    api::Problem problem{.status = 400, .code = "bad_query", .detail = errors_.front().detail};
    problem.errors = std::move(errors_);
    return problem;
}

} // namespace vitrine::server
