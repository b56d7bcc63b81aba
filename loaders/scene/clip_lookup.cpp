#include "loaders/scene/clip_lookup.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "loaders/base/ascii.hpp"

namespace vitrine::scene {
namespace {

template <class Predicate>
std::optional<std::uint32_t> first_clip(const Scene& scene, Predicate fits)
{
    const auto found = std::ranges::find_if(scene.clips, fits, &Clip::name);
    if (found == scene.clips.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - scene.clips.begin());
}

std::optional<std::uint32_t> first_clip_with(const Scene& scene, std::string_view part)
{
    if (part.empty()) return std::nullopt;
    if (auto clip = first_clip(scene, [&](const std::string& name) { return name.contains(part); }))
        return clip;
    const auto lower = ascii::lower(part);
    return first_clip(scene, [&](const std::string& name) { return ascii::lower(name).contains(lower); });
}

std::optional<std::uint32_t> find_leniently(const Scene& scene, std::string_view wanted)
{
    if (auto clip = first_clip(scene, [&](const std::string& name) { return name == wanted; })) return clip;
    if (auto clip = parse_clip_id(wanted, scene.clips.size())) return clip;
    return first_clip_with(scene, wanted);
}

} // namespace

std::string clip_id(std::uint32_t index)
{
    return "c" + std::to_string(index);
}

std::optional<std::uint32_t> parse_clip_id(std::string_view text, std::size_t count)
{
    if (text.starts_with('c')) text.remove_prefix(1);
    std::uint32_t index = 0;
    const auto* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, index);
    if (parsed.ec != std::errc() || parsed.ptr != end || index >= count) return std::nullopt;
    return index;
}

std::expected<std::uint32_t, ClipLookupError> find_clip(const Scene& scene, std::string_view wanted,
                                                        ClipLookup lookup)
{
    const auto clip = lookup == ClipLookup::lenient ? find_leniently(scene, wanted)
                                                    : parse_clip_id(wanted, scene.clips.size());
    if (clip) return *clip;
    const auto has_name = [&](const std::string& name) { return name == wanted; };
    const auto named = first_clip(scene, has_name);
    if (!named) return std::unexpected(ClipLookupError::no_such_clip);
    if (std::ranges::count_if(scene.clips, has_name, &Clip::name) > 1)
        return std::unexpected(ClipLookupError::several_of_this_name);
    return *named;
}

} // namespace vitrine::scene
