#include "loaders/scene/lookup.hpp"

#include <algorithm>

#include "loaders/base/ascii.hpp"
#include "loaders/base/parse_whole.hpp"
#include "loaders/scene/helper_nodes.hpp"

namespace vitrine::scene {
namespace {

constexpr std::size_t max_names_listed = 8;

std::optional<std::uint32_t> parse_index(std::string_view text, std::size_t count)
{
    const auto index = parse_whole<std::uint32_t>(text);
    return index && *index < count ? index : std::nullopt;
}

std::optional<std::uint32_t> parse_clip_id(std::string_view text, std::size_t count)
{
    return parse_index(text.starts_with('c') ? text.substr(1) : text, count);
}

template <class Names, class Predicate>
std::optional<std::uint32_t> find_first(const Names& names, Predicate fits)
{
    const auto found = std::ranges::find_if(names, fits);
    if (found == names.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - names.begin());
}

std::optional<std::uint32_t> find_part(std::span<const std::string_view> names, std::string_view part)
{
    if (part.empty()) return std::nullopt;
    if (const auto clip = find_first(names, [&](auto name) { return name.contains(part); })) return clip;
    const auto lower = ascii::lower(part);
    return find_first(names, [&](auto name) { return ascii::lower(name).contains(lower); });
}

std::vector<std::string_view> clip_names(const Scene& scene)
{
    std::vector<std::string_view> names;
    for (const auto& clip : scene.clips)
        names.emplace_back(clip.name);
    return names;
}

// `kind`: "clip", "material variant".
std::string none_of(std::string_view kind, std::string_view wanted, std::span<const std::string_view> names)
{
    const auto sentence = "there is no " + std::string(kind) + " '" + std::string(wanted) + "'";
    if (names.empty()) return sentence + ": the file has no " + std::string(kind) + "s";
    std::string list;
    for (const auto name : names.first(std::min(names.size(), max_names_listed)))
        list += (list.empty() ? "'" : ", '") + std::string(name) + "'";
    if (names.size() > max_names_listed) list += ", ...";
    return sentence + " among " + std::to_string(names.size()) + ": " + list;
}

// `takes_first`: of several with this name.
std::expected<std::uint32_t, ClipLookupError> find_named(std::span<const std::string_view> names,
                                                         std::string_view wanted, bool takes_first)
{
    const auto has_name = [&](std::string_view name) { return name == wanted; };
    const auto clip = find_first(names, has_name);
    if (!clip) return std::unexpected(ClipLookupError::no_such_clip);
    if (!takes_first && std::ranges::count_if(names, has_name) > 1)
        return std::unexpected(ClipLookupError::several_of_this_name);
    return *clip;
}

} // namespace

std::string clip_id(std::uint32_t index)
{
    return "c" + std::to_string(index);
}

std::expected<std::uint32_t, ClipLookupError> find_clip(std::span<const std::string_view> names,
                                                        std::string_view wanted, ClipLookup lookup)
{
    const auto has_name = [&](std::string_view name) { return name == wanted; };
    const auto by_id = parse_clip_id(wanted, names.size());
    const auto by_name = find_first(names, has_name);
    const bool is_lenient = lookup == ClipLookup::lenient;
    if (is_lenient && (by_name || by_id)) return by_name ? *by_name : *by_id;
    if (by_id) return *by_id;
    const bool is_own = !by_name && wanted.starts_with(own_clip_mark);
    const auto named = find_named(names, is_own ? wanted.substr(1) : wanted, is_lenient);
    if (const auto part = is_lenient && !named ? find_part(names, wanted) : std::nullopt) return *part;
    return named;
}

std::expected<std::uint32_t, ClipLookupError> find_clip(const Scene& scene, std::string_view wanted,
                                                        ClipLookup lookup)
{
    return find_clip(clip_names(scene), wanted, lookup);
}

std::optional<std::uint32_t> find_variant(std::span<const std::string> variants, std::string_view wanted)
{
    const auto by_name = find_first(variants, [&](std::string_view name) { return name == wanted; });
    return by_name ? by_name : parse_index(wanted, variants.size());
}

std::vector<std::uint32_t> find_joints(const Scene& scene, std::string_view wanted)
{
    if (const auto number = parse_index(wanted, scene.nodes.size())) return {file_node(scene, *number)};
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < scene.nodes.size(); ++i)
        if (scene.nodes[i].name == wanted && !is_helper(scene.nodes[i])) found.push_back(i);
    return found;
}

std::optional<std::uint32_t> find_joint(const Scene& scene, std::string_view wanted)
{
    const auto found = find_joints(scene, wanted);
    return found.empty() ? std::nullopt : std::optional(found.front());
}

std::string no_clip_message(const Scene& scene, std::string_view wanted)
{
    return none_of("clip", wanted, clip_names(scene));
}

std::string no_variant_message(const Scene& scene, std::string_view wanted)
{
    return none_of("material variant", wanted,
                   std::vector<std::string_view>(scene.variants.begin(), scene.variants.end()));
}

} // namespace vitrine::scene
