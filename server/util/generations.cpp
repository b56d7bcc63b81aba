#include "server/util/generations.hpp"

#include <algorithm>
#include <numeric>

namespace vitrine::server {

Generations::Change::Change(Generations& generations, std::span<const std::string> ids)
    : generations_(generations)
{
    for (const auto& id : ids)
        counters_.push_back(index_of(id));
    std::ranges::sort(counters_);
    const auto repeated = std::ranges::unique(counters_);
    counters_.erase(repeated.begin(), repeated.end());
    advance(1);
}

Generations::Change::Change(Generations& generations) : generations_(generations), counters_(counters)
{
    std::iota(counters_.begin(), counters_.end(), std::size_t{0});
    advance(1);
}

Generations::Change Generations::Change::of_all(Generations& generations)
{
    return Change(generations);
}

void Generations::Change::advance(std::uint64_t step)
{
    if (counters_.empty()) return;
    for (const auto index : counters_)
        generations_.assets_[index] += step;
    generations_.catalog_ += step;
}

} // namespace vitrine::server
