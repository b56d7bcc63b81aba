#pragma once
// Sorts a list and removes repeated values.

#include <algorithm>
#include <vector>

namespace vitrine {

template <class T>
void sort_unique(std::vector<T>& values)
{
    std::ranges::sort(values);
    const auto repeated = std::ranges::unique(values);
    values.erase(repeated.begin(), repeated.end());
}

} // namespace vitrine
