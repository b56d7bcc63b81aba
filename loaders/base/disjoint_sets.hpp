#pragma once
// Disjoint sets of numbers with union and find. Tarjan, "Efficiency of a Good But Not Linear Set Union
// Algorithm" (1975), with path halving.

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace vitrine {

class DisjointSets {
public:
    // 0 .. count - 1, each in its own set.
    explicit DisjointSets(std::size_t count) : parent_(count)
    {
        std::iota(parent_.begin(), parent_.end(), 0u);
    }

    // Returns the representative of the set that contains `at`.
    std::uint32_t find(std::uint32_t at)
    {
        while (parent_[at] != at)
            at = parent_[at] = parent_[parent_[at]];
        return at;
    }

    void join(std::uint32_t a, std::uint32_t b) { parent_[find(a)] = find(b); }

private:
    std::vector<std::uint32_t> parent_;
};

} // namespace vitrine
