// Look-ups in a parsed document.
#include <cmath>

#include <fmt/format.h>

#include "loaders/io/json/json.hpp"

namespace vitrine::io {
namespace {

void append_escaped(std::string& pointer, std::string_view key)
{
    for (const char c : key) {
        if (c == '~')
            pointer += "~0";
        else if (c == '/')
            pointer += "~1";
        else
            pointer += c;
    }
}

// Most keys of an object differ in their size or their first character: calls of memcmp() cost more.
bool has_key(const JsonNode& node, std::string_view key)
{
    if (node.key_size != key.size()) return false;
    return key.empty() || (node.key_data[0] == key[0] && node.key() == key);
}

} // namespace

std::optional<bool> JsonValue::boolean() const
{
    if (type() != JsonType::boolean) return std::nullopt;
    return node().value.boolean;
}

std::optional<double> JsonValue::number() const
{
    if (type() != JsonType::number || !std::isfinite(node().value.number)) return std::nullopt;
    return node().value.number;
}

std::optional<std::uint64_t> JsonValue::unsigned_integer() const
{
    constexpr double max_exact_integer = 9007199254740992.0; // 2^53
    const std::optional<double> value = number();
    if (!value || *value < 0.0 || *value > max_exact_integer) return std::nullopt;
    const auto integer = static_cast<std::uint64_t>(*value);
    if (static_cast<double>(integer) != *value) return std::nullopt;
    return integer;
}

std::optional<std::string_view> JsonValue::string() const
{
    if (type() != JsonType::string) return std::nullopt;
    return node().string();
}

JsonValue JsonValue::operator[](std::uint32_t index) const
{
    if (index >= size()) return {};
    return {nodes_, node().first_child() + index};
}

JsonValue JsonValue::operator[](std::string_view key) const
{
    if (!is_object()) return {};
    if (size() > binary_search_min_members) return find_sorted(key);
    const JsonNode* const members = nodes_ + node().first_child();
    for (std::uint32_t n = size(); n-- > 0;)
        if (has_key(members[n], key)) return {nodes_, node().first_child() + n};
    return {};
}

JsonValue JsonValue::find_sorted(std::string_view key) const
{
    std::uint32_t low = node().first_child(); // keys before it are not greater than `key`
    std::uint32_t high = low + size();
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (nodes_[nodes_[middle].by_key].key() <= key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == node().first_child()) return {};
    const std::uint32_t last = nodes_[low - 1].by_key;
    return nodes_[last].key() == key ? JsonValue(nodes_, last) : JsonValue();
}

std::string JsonValue::pointer() const
{
    std::vector<std::uint32_t> path;
    for (std::uint32_t at = index_; nodes_ != nullptr && at != 0; at = nodes_[at].parent)
        path.push_back(at);
    std::string pointer;
    for (; !path.empty(); path.pop_back()) {
        const JsonNode& step = nodes_[path.back()];
        const JsonNode& parent = nodes_[step.parent];
        pointer += '/';
        if (parent.type == JsonType::object)
            append_escaped(pointer, step.key());
        else
            pointer += fmt::to_string(path.back() - parent.first_child());
    }
    return pointer;
}

} // namespace vitrine::io
