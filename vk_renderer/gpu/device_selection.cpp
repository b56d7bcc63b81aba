#include "vk_renderer/gpu/device_selection.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/base/parse_whole.hpp"

namespace vitrine::render {
namespace {

using DeviceIndices = std::vector<std::size_t>;

std::string list_candidates(std::span<const DeviceCandidate> candidates)
{
    std::string text;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const auto& [name, kind, unusable, slot] = candidates[i];
        text +=
            fmt::format("{}{}: {}{}", i ? ", " : "", i, name, unusable.empty() ? "" : " (" + unusable + ")");
    }
    return text.empty() ? "no device is available" : "available: " + text;
}

template <class Fits>
DeviceIndices usable(std::span<const DeviceCandidate> candidates, Fits fits)
{
    DeviceIndices found;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (candidates[i].unusable.empty() && fits(candidates[i])) found.push_back(i);
    return found;
}

// Only one software device: several would share the same CPU threads.
DeviceIndices of_kind(std::span<const DeviceCandidate> candidates, DeviceKind kind)
{
    auto found = usable(candidates, [&](const DeviceCandidate& c) { return c.kind == kind; });
    if (kind == DeviceKind::software && found.size() > 1) found.resize(1);
    return found;
}

DeviceIndices best_card(std::span<const DeviceCandidate> candidates)
{
    using enum DeviceKind;
    for (const auto kind : {discrete, integrated, virtualized, other})
        if (auto found = of_kind(candidates, kind); !found.empty()) return found;
    return {};
}

DeviceIndices best(std::span<const DeviceCandidate> candidates)
{
    auto found = best_card(candidates);
    return found.empty() ? of_kind(candidates, DeviceKind::software) : found;
}

bool is_number(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Bytes beyond ASCII count as letters of other scripts.
bool has_letter(std::string_view text)
{
    return std::ranges::any_of(text, [](char c) {
        const char low = ascii::to_lower(c);
        return (low >= 'a' && low <= 'z') || static_cast<unsigned char>(c) >= 0x80;
    });
}

bool contains(std::string_view name, std::string_view part)
{
    return !std::ranges::search(name, part, {}, ascii::to_lower, ascii::to_lower).empty();
}

DeviceIndices find(std::span<const DeviceCandidate> candidates, std::string_view part)
{
    if (part == "auto") return best(candidates);
    if (part == "gpu") return best_card(candidates);
    if (part == "software") return of_kind(candidates, DeviceKind::software);
    if (is_number(part)) { // a number is only an index, because most names contain some number
        const auto index = parse_whole<std::size_t>(part);
        const bool is_usable = index && *index < candidates.size() && candidates[*index].unusable.empty();
        return is_usable ? DeviceIndices{*index} : DeviceIndices{};
    }
    if (!has_letter(part)) return {};
    return usable(candidates, [&](const DeviceCandidate& c) { return contains(c.name, part); });
}

std::string device_error(std::string_view part)
{
    if (is_number(part)) return fmt::format("no usable Vulkan device has the index {}", part);
    const bool is_invalid = !part.empty() && !has_letter(part);
    return fmt::format("no usable Vulkan device '{}'{}", part,
                       is_invalid ? " (a part of a name must contain a letter)" : "");
}

} // namespace

std::vector<std::size_t> choose(std::span<const DeviceCandidate> candidates, const std::string& wanted)
{
    DeviceIndices chosen;
    const auto is_known = [&](std::size_t index) {
        return std::ranges::any_of(chosen, [&](std::size_t other) {
            const auto& slot = candidates[index].slot;
            return other == index || (!slot.empty() && candidates[other].slot == slot);
        });
    };
    for (std::size_t at = 0; at <= wanted.size();) {
        const auto end = std::min(wanted.find(',', at), wanted.size());
        const auto part = wanted.substr(at, end - at);
        const auto found = find(candidates, part);
        if (found.empty()) throw std::runtime_error(device_error(part) + "; " + list_candidates(candidates));
        for (const auto index : found)
            if (!is_known(index)) chosen.push_back(index);
        at = end + 1;
    }
    return chosen;
}

} // namespace vitrine::render
