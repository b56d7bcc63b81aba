#pragma once
// Sorts a list and removes repeated values.

#include <algorithm>

namespace vitrine {

// A std::vector or scene::Array.
template <class List>
void sort_unique(List& values)
{
    std::ranges::sort(values);
    const auto repeated = std::ranges::unique(values);
    values.erase(repeated.begin(), repeated.end());
}

} // namespace vitrine
