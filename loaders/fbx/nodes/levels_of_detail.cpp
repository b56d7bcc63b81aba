#include "loaders/fbx/nodes/visibility.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace vitrine::fbx {
namespace {

// The SDK's FbxLODGroup::EDisplayLevel.
enum class Display : std::uint8_t { by_distance, show, hide };

std::vector<Display> displays_of(const Properties& group, std::size_t levels)
{
    constexpr std::string_view prefix = "DisplayLevels|Level";
    std::vector<Display> out(levels, Display::by_distance);
    for (const Properties::PropertyEntry& entry : group.own()) {
        if (!entry.name.starts_with(prefix)) continue;
        std::size_t level = levels;
        const std::string_view number = entry.name.substr(prefix.size());
        std::from_chars(number.data(), number.data() + number.size(), level);
        if (level >= levels) continue;
        const std::int64_t display = group.value(entry.name).integer();
        if (display == 1 || display == 2) out[level] = display == 1 ? Display::show : Display::hide;
    }
    return out;
}

const Properties* find_group(const Document& document, std::uint32_t model)
{
    for (const ObjectConnection& connection : document.sources(model))
        if (const Object& object = document.object(connection.source); object.sub_type == "LodGroup")
            return &object.properties;
    return nullptr;
}

} // namespace

std::vector<GroupChild> children_of_group(const Document& document, std::uint32_t model, std::size_t children)
{
    const Properties* group = find_group(document, model);
    if (group == nullptr) return {};
    const std::vector<Display> displays = displays_of(*group, children);
    const bool some_shown = std::ranges::find(displays, Display::show) != displays.end();
    const auto levels = static_cast<std::uint32_t>(std::ranges::count(displays, Display::by_distance));
    std::uint32_t level = 0;
    std::vector<GroupChild> out;
    for (const Display display : displays) {
        GroupChild child{.hidden = some_shown ? display != Display::show : display == Display::hide};
        if (!some_shown && !child.hidden) {
            child.levels = {level, level + 1 < levels ? level : scene::none};
            ++level;
        }
        out.push_back(child);
    }
    return out;
}

} // namespace vitrine::fbx
