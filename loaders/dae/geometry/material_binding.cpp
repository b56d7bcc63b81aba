#include "loaders/dae/geometry/material_binding.hpp"

namespace vitrine::dae {

void MaterialBinding::add(std::uint32_t symbol, const BoundMaterial& bound)
{
    const auto mix = [&](std::uint64_t number) {
        hash_ = (hash_ ^ number ^ hash_ >> 31) * 0x9E37'79B9'7F4A'7C15u;
    };
    mix(std::uint64_t{symbol} << 32 | bound.material);
    for (const auto& set : bound.sets)
        mix(set ? *set : std::uint64_t{1} << 32);
    bound_.emplace_back(symbol, bound);
}

std::vector<BoundMaterial> MaterialBinding::by_symbol() const
{
    std::vector<BoundMaterial> bound(symbols_->count());
    for (std::uint32_t symbol = 0; symbol < symbols_->count(); ++symbol)
        bound[symbol] = (*own_)[symbol].value_or(BoundMaterial());
    for (const auto& [symbol, material] : bound_)
        bound[symbol] = material;
    return bound;
}

// Default materials of two documents rarely differ, and are mostly empty.
bool MaterialBinding::operator==(const MaterialBinding& other) const
{
    if (bound_ != other.bound_) return false;
    if (own_ == other.own_) return true;
    std::vector<bool> is_bound(symbols_->count());
    for (const auto& [symbol, material] : bound_)
        is_bound[symbol] = true;
    for (std::uint32_t symbol = 0; symbol < symbols_->count(); ++symbol)
        if (!is_bound[symbol] && (*own_)[symbol] != (*other.own_)[symbol]) return false;
    return true;
}

} // namespace vitrine::dae
