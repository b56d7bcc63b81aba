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

constexpr std::size_t uuid_length = 36;

bool is_uuid_hyphen(std::size_t at)
{
    return at == 8 || at == 13 || at == 18 || at == 23;
}

std::string list_candidates(std::span<const DeviceCandidate> candidates)
{
    std::string text;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const auto& candidate = candidates[i];
        text += fmt::format("{}{}: {}", i > 0 ? ", " : "", i, candidate.name);
        if (!candidate.pci_address.empty()) text += " at " + candidate.pci_address;
        if (!candidate.unusable.empty()) text += " (" + candidate.unusable + ")";
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

// In lower case.
bool is_hex(std::string_view text)
{
    return text.find_first_not_of("0123456789abcdef") == text.npos;
}

// Returns "dddd:bb:dd.f" in lower case; empty if the text is no PCI address.
std::string pci_address_from(std::string_view text)
{
    std::string address = ascii::lower(text);
    if (address.size() == 7) address.insert(0, "0000:");
    constexpr std::size_t nvidia_length = 16; // eight digits of the domain
    if (address.size() == nvidia_length && address.starts_with("0000")) address.erase(0, 4);
    const bool is_address = address.size() == 12 && is_hex(address.substr(0, 4)) && address[4] == ':' &&
                            is_hex(address.substr(5, 2)) && address[7] == ':' &&
                            is_hex(address.substr(8, 2)) && address[10] == '.' && is_hex(address.substr(11));
    return is_address ? address : "";
}

// Returns the UUID in lower case without "GPU-"; empty if the text is none.
std::string uuid_from(std::string_view text)
{
    std::string uuid = ascii::lower(text);
    if (uuid.starts_with("gpu-")) uuid.erase(0, 4);
    if (uuid.size() != uuid_length) return {};
    for (std::size_t i = 0; i < uuid.size(); ++i)
        if (is_uuid_hyphen(i) ? uuid[i] != '-' : !is_hex(uuid.substr(i, 1))) return {};
    return uuid;
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
    if (const auto address = pci_address_from(part); !address.empty())
        return usable(candidates, [&](const DeviceCandidate& c) { return c.pci_address == address; });
    if (const auto uuid = uuid_from(part); !uuid.empty())
        return usable(candidates, [&](const DeviceCandidate& c) { return c.uuid == uuid; });
    if (!has_letter(part)) return {};
    return usable(candidates, [&](const DeviceCandidate& c) { return contains(c.name, part); });
}

std::string device_error(std::string_view part)
{
    if (is_number(part)) return fmt::format("no usable Vulkan device has the index {}", part);
    const bool is_invalid =
        !part.empty() && !has_letter(part) && pci_address_from(part).empty() && uuid_from(part).empty();
    return fmt::format("no usable Vulkan device '{}'{}", part,
                       is_invalid ? " (a part of a name must contain a letter)" : "");
}

} // namespace

std::string format_uuid(std::span<const std::uint8_t, 16> bytes)
{
    std::string text;
    for (const auto byte : bytes) {
        if (is_uuid_hyphen(text.size())) text += '-';
        text += fmt::format("{:02x}", byte);
    }
    return text;
}

std::string selector_of(std::span<const DeviceCandidate> candidates, std::size_t index)
{
    for (const auto& selector : {candidates[index].pci_address, candidates[index].uuid})
        if (!selector.empty() && find(candidates, selector) == DeviceIndices{index}) return selector;
    return std::to_string(index);
}

std::vector<std::size_t> choose(std::span<const DeviceCandidate> candidates, const std::string& wanted)
{
    DeviceIndices chosen;
    const auto is_known = [&](std::size_t index) {
        return std::ranges::any_of(chosen, [&](std::size_t other) {
            const auto& address = candidates[index].pci_address;
            return other == index || (!address.empty() && candidates[other].pci_address == address);
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
