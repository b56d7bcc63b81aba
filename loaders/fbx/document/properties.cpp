#include <algorithm>

#include "loaders/fbx/document/document.hpp"

namespace vitrine::fbx {

Properties::PropertyEntry Properties::find_in(List list, std::string_view name)
{
    // Stably sorted, so the last of equal names precedes the upper bound.
    const auto above = std::ranges::upper_bound(list, name, {}, &PropertyEntry::name);
    return above != list.begin() && std::prev(above)->name == name ? *std::prev(above) : PropertyEntry();
}

Properties::PropertyEntry Properties::find_entry(std::string_view name) const
{
    const PropertyEntry own = find_in(own_, name);
    return own.element != 0 ? own : find_in(defaults_, name);
}

Element Properties::find(std::string_view name) const
{
    const PropertyEntry entry = find_entry(name);
    return entry.element != 0 ? Element(tree_, entry.element) : Element();
}

Value Properties::value(std::string_view name, std::uint32_t index) const
{
    const PropertyEntry entry = find_entry(name);
    return entry.element != 0 ? Element(tree_, entry.element)[entry.first_value + index] : Value();
}

std::uint32_t Properties::value_count(std::string_view name) const
{
    const PropertyEntry entry = find_entry(name);
    if (entry.element == 0) return 0;
    const std::uint32_t all = Element(tree_, entry.element).value_count();
    return all - std::min(all, entry.first_value);
}

double Properties::real(std::string_view name, double fallback) const
{
    const Value found = value(name);
    return found.is_number() ? found.real() : fallback;
}

std::int64_t Properties::integer(std::string_view name, std::int64_t fallback) const
{
    const Value found = value(name);
    return found.is_number() ? found.integer() : fallback;
}

bool Properties::boolean(std::string_view name, bool fallback) const
{
    const Value found = value(name);
    return found.is_number() ? found.real() != 0.0 : fallback;
}

glm::dvec3 Properties::vec3(std::string_view name, const glm::dvec3& fallback) const
{
    const PropertyEntry entry = find_entry(name);
    if (entry.element == 0) return fallback;
    const Element element(tree_, entry.element);
    glm::dvec3 out(0.0);
    for (glm::length_t i = 0; i < 3; ++i) {
        const Value part = element[entry.first_value + static_cast<std::uint32_t>(i)];
        if (!part.is_number()) return fallback;
        out[i] = part.real();
    }
    return out;
}

std::string_view Properties::text(std::string_view name, std::string_view fallback) const
{
    const Value found = value(name);
    return found.is_text() ? found.text() : fallback;
}

} // namespace vitrine::fbx
