#include <algorithm>

#include "server/routing/route.hpp"

namespace vitrine::server {
namespace {

using Params = std::vector<std::pair<std::string, std::string>>;

std::string join(const std::vector<std::string>& segments, std::size_t first)
{
    std::string joined;
    for (std::size_t i = first; i < segments.size(); ++i) {
        if (i > first) joined.push_back('/');
        joined += segments[i];
    }
    return joined;
}

bool is_param(std::string_view part)
{
    return part.starts_with('{');
}

bool match_pattern(std::string_view pattern, const std::vector<std::string>& segments, Params& params)
{
    pattern.remove_prefix(1);
    for (std::size_t i = 0;; ++i) {
        auto end = pattern.find('/');
        auto part = pattern.substr(0, end);
        if (part.ends_with("...}")) {
            if (i >= segments.size()) return false;
            params.emplace_back(part.substr(1, part.size() - 5), join(segments, i));
            return true;
        }
        if (i >= segments.size()) return false;
        if (is_param(part)) {
            if (segments[i].empty()) return false;
            params.emplace_back(part.substr(1, part.size() - 2), segments[i]);
        } else if (part != segments[i]) {
            return false;
        }
        if (end == pattern.npos) return i + 1 == segments.size();
        pattern.remove_prefix(end + 1);
    }
}

// Turns {"v1", "assets", id, "versions", n, ...} into {"v1", "assets", id, ...} and returns n; empty if the
// path has no version.
std::string take_version(std::vector<std::string>& segments)
{
    const bool named = segments.size() >= 5 && segments[0] == "v1" && segments[1] == "assets" &&
                       segments[3] == "versions" && !segments[4].empty();
    if (!named) return {};
    auto version = segments[4];
    segments.erase(segments.begin() + 3, segments.begin() + 5);
    return version;
}

} // namespace

namespace {

// The rest of a path below a version is that of a read; routes that change a version name it themselves.
RouteMatch match_path(std::span<const Route> routes, Method method, const std::vector<std::string>& whole)
{
    auto path = whole;
    const auto version = take_version(path);
    RouteMatch match;
    for (const auto& route : routes) {
        Params params;
        const bool reads = route.method == Method::get;
        const bool is_below_version = !version.empty() && reads;
        if (!match_pattern(route.pattern, is_below_version ? path : whole, params)) continue;
        match.allowed.push_back(route.method);
        bool matches_method = route.method == method || (reads && method == Method::head);
        if (!matches_method || match.route) continue;
        match.route = &route;
        match.params = std::move(params);
        if (is_below_version) match.params.emplace_back("n", version);
    }
    return match;
}

} // namespace

RouteMatch match_route(std::span<const Route> routes, Method method, const std::vector<std::string>& segments)
{
    auto match = match_path(routes, method, segments);
    const bool reads = method == Method::get || method == Method::head;
    if (!match.allowed.empty() || !reads || segments.size() < 2 || !segments.back().empty()) return match;
    const auto shorter = match_path(routes, method, {segments.begin(), segments.end() - 1});
    match.has_extra_slash = shorter.route != nullptr;
    return match;
}

std::string allow_field(const std::vector<Method>& allowed)
{
    std::string field;
    for (auto method : allowed) {
        if (method == Method::options) continue; // every path has it
        field += std::string(to_string(method)) + ", ";
        if (method == Method::get) field += "HEAD, ";
    }
    return field + "OPTIONS";
}

} // namespace vitrine::server
