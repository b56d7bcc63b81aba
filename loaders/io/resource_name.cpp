#include "loaders/io/resource_name.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "loaders/base/ascii.hpp"
#include "loaders/io/name_index.hpp"

namespace vitrine {
namespace io {
namespace {

constexpr std::size_t max_name_bytes = 1024;

bool is_slash(char c)
{
    return c == '/' || c == '\\';
}

bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Matches RFC 3986 schemes and Windows drive letters.
bool has_scheme(std::string_view name)
{
    if (name.empty() || !is_letter(name.front())) return false;
    const auto end = std::ranges::find_if_not(name, [](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
    });
    return end != name.end() && *end == ':';
}

bool is_control(char c)
{
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

std::vector<std::string_view> split(std::string_view name)
{
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= name.size();) {
        std::size_t end = at;
        while (end < name.size() && !is_slash(name[end]))
            ++end;
        if (end > at) parts.push_back(name.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

std::string join(const std::vector<std::string_view>& parts)
{
    std::string name;
    for (const std::string_view part : parts) {
        if (!name.empty()) name += '/';
        name += part;
    }
    return name;
}

std::optional<std::string> find_exact(const Source& source, std::string_view folder,
                                      std::string_view requested_name)
{
    std::optional<std::string> name = normalize_name(std::string(folder).append(requested_name));
    if (name && std::ranges::binary_search(source.names(), *name)) return name;
    return std::nullopt;
}

std::optional<std::string> find_above(Source& source, std::string_view folder,
                                      std::string_view requested_name)
{
    std::optional<std::string> name = name_above(folder, requested_name);
    if (name && source.can_open_outside(*name)) return name;
    return std::nullopt;
}

// Neither absolute nor with a scheme.
bool is_relative(std::string_view name)
{
    return !name.empty() && !is_slash(name.front()) && !has_scheme(name);
}

} // namespace

std::optional<std::string> normalize_name(std::string_view raw)
{
    if (raw.empty() || raw.size() > max_name_bytes || is_slash(raw.front()) || has_scheme(raw) ||
        std::ranges::any_of(raw, is_control))
        return std::nullopt;
    std::vector<std::string_view> parts;
    for (const std::string_view part : split(raw)) {
        if (part == ".") continue;
        if (part != "..")
            parts.push_back(part);
        else if (parts.empty())
            return std::nullopt;
        else
            parts.pop_back();
    }
    if (parts.empty()) return std::nullopt;
    return join(parts);
}

std::optional<std::string> name_above(std::string_view folder, std::string_view raw)
{
    if (!is_relative(raw) || folder.size() + raw.size() > max_name_bytes ||
        std::ranges::any_of(raw, is_control))
        return std::nullopt;
    const std::string path = std::string(folder).append(raw);
    std::vector<std::string_view> parts;
    std::string parent_prefix;
    for (const std::string_view part : split(path)) {
        if (part == ".") continue;
        if (part != "..")
            parts.push_back(part);
        else if (parts.empty())
            parent_prefix += "../";
        else
            parts.pop_back();
    }
    if (parent_prefix.empty() || parts.empty()) return std::nullopt;
    return parent_prefix + join(parts);
}

std::string_view folder_of(std::string_view name)
{
    return name.substr(0, name.size() - base_name(name).size());
}

std::string_view base_name(std::string_view name)
{
    const std::size_t slash = name.find_last_of("/\\");
    return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

std::string_view stem_of(std::string_view name)
{
    const std::string_view base = base_name(name);
    return base.substr(0, base.rfind('.'));
}

std::string extension_of(std::string_view name)
{
    const std::string_view base = base_name(name);
    const std::size_t dot = base.rfind('.');
    return dot == base.npos ? "" : ascii::lower(base.substr(dot));
}

std::string_view path_without_extension(std::string_view name)
{
    return name.substr(0, name.size() - extension_of(name).size());
}

std::string_view without_query(std::string_view uri)
{
    const std::size_t end = uri.find_first_of("?#");
    if (end == uri.npos || extension_of(uri.substr(0, end)).size() < 2) return {};
    return uri.substr(0, end);
}

namespace {

std::optional<ResolvedName> resolve_literally(Source& source, std::string_view requested_name)
{
    if (is_relative(requested_name)) {
        if (auto name = find_exact(source, folder_of(source.main_name()), requested_name))
            return ResolvedName{*name};
        if (auto name = find_exact(source, "", requested_name)) return ResolvedName{*name};
        if (auto name = find_above(source, folder_of(source.main_name()), requested_name))
            return ResolvedName{*name};
    }
    const auto found = source.name_index().find(requested_name);
    if (!found) return std::nullopt;
    return ResolvedName{source.names()[*found], Match::elsewhere};
}

std::optional<ResolvedName> resolve_literally(Source& source, std::string_view folder,
                                              std::string_view requested_name)
{
    if (!is_relative(requested_name) || folder == folder_of(source.main_name()))
        return resolve_literally(source, requested_name);
    if (auto name = find_exact(source, folder, requested_name)) return ResolvedName{*name};
    if (auto name = find_above(source, folder, requested_name)) return ResolvedName{*name};
    auto found = resolve_literally(source, requested_name);
    if (found && found->match == Match::exact) return found;
    // Prefers the name nearest to that folder.
    return resolve_literally(source, std::string(folder).append(requested_name));
}

} // namespace

std::optional<ResolvedName> resolve(Source& source, std::string_view requested_name)
{
    return resolve_from(source, folder_of(source.main_name()), requested_name);
}

std::optional<ResolvedName> resolve_from(Source& source, std::string_view folder,
                                         std::string_view requested_name)
{
    if (auto found = resolve_literally(source, folder, requested_name)) return found;
    const std::string_view name = without_query(requested_name);
    return name.empty() ? std::nullopt : resolve_literally(source, folder, name);
}

} // namespace io

const io::NameIndex& Source::name_index() const
{
    if (!name_index_) name_index_ = std::make_shared<const io::NameIndex>(names());
    return *name_index_;
}

} // namespace vitrine
