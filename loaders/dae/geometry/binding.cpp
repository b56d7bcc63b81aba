#include "loaders/dae/geometry/binding.hpp"

namespace vitrine::dae {

void Binding::add(std::uint32_t symbol, const BoundMaterial& bound)
{
    const auto mix = [&](std::uint64_t number) {
        hash_ = (hash_ ^ number ^ hash_ >> 31) * 0x9E37'79B9'7F4A'7C15u;
    };
    mix(std::uint64_t{symbol} << 32 | bound.material);
    for (const auto& set : bound.sets)
        mix(set ? *set : std::uint64_t{1} << 32);
    said_.emplace_back(symbol, bound);
}

std::vector<BoundMaterial> Binding::by_symbol() const
{
    std::vector<BoundMaterial> bound(symbols_->count());
    for (std::uint32_t symbol = 0; symbol < symbols_->count(); ++symbol)
        bound[symbol] = (*own_)[symbol].value_or(BoundMaterial());
    for (const auto& [symbol, material] : said_)
        bound[symbol] = material;
    return bound;
}

// Those of two documents say different things seldom, and mostly nothing.
bool Binding::operator==(const Binding& other) const
{
    if (said_ != other.said_) return false;
    if (own_ == other.own_) return true;
    std::vector<bool> said(symbols_->count());
    for (const auto& [symbol, material] : said_)
        said[symbol] = true;
    for (std::uint32_t symbol = 0; symbol < symbols_->count(); ++symbol)
        if (!said[symbol] && (*own_)[symbol] != (*other.own_)[symbol]) return false;
    return true;
}

} // namespace vitrine::dae
