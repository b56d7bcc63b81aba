#include "loaders/dae/animation/driven_keys.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "loaders/dae/animation/animation_target.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::dae {
namespace {

constexpr std::uint64_t max_values = 1u << 21; // evaluations for all curves of a file

class Resolver {
public:
    Resolver(const std::vector<DrivenCurve>& driven, Animations& animations, Documents& documents,
             io::Budget& budget)
        : driven_(driven), animations_(animations), documents_(documents), budget_(budget)
    {
        for (std::size_t i = 0; i < driven.size(); ++i)
            unresolved_.emplace(driven[i].curve, i);
        for (const DrivenCurve& curve : driven)
            unmade_.insert(curve.curve);
    }

    LoadResult<void> run()
    {
        for (const DrivenCurve& driven : driven_)
            if (auto resolved = resolve(driven); !resolved) return resolved;
        return {};
    }

private:
    // Resolves chains of drivers from the first driver on.
    LoadResult<void> resolve(const DrivenCurve& last)
    {
        std::vector<const DrivenCurve*> chain;
        for (const DrivenCurve* at = &last; at != nullptr;) {
            const auto known = unresolved_.find(at->curve);
            if (known == unresolved_.end()) break;
            unresolved_.erase(known);
            chain.push_back(at);
            const auto channel_binding = find_channel_binding(*at);
            const auto next = channel_binding ? unresolved_.find(channel_binding->curve) : unresolved_.end();
            at = next == unresolved_.end() ? nullptr : &driven_[next->second];
        }
        for (; !chain.empty(); chain.pop_back())
            if (auto made = make(*chain.back()); !made) return made;
        return {};
    }

    struct CurveDimension {
        io::XmlNode element;
        std::uint32_t index = 0; // dimension of the curve
    };
    std::optional<CurveDimension> find_number(const DrivenCurve& driven)
    {
        AnimationTarget target = parse_target(driven.driver);
        const io::XmlNode element = find_target(target, driven.sampler, documents_);
        const auto kind = element_kind(element.name());
        const Selection selected = kind ? select(target, *kind, 1) : Selection{};
        if (selected.count != 1) return std::nullopt;
        return CurveDimension{element, selected.first};
    }

    std::optional<ChannelBinding> find_channel_binding(const DrivenCurve& driven)
    {
        const auto number = find_number(driven);
        if (!number) return std::nullopt;
        const std::vector<ChannelBinding>& channel_bindings =
            animations_.channel_bindings_of(number->element);
        const auto found = std::ranges::find_if(channel_bindings, [&](const ChannelBinding& m) {
            return m.first <= number->index && number->index < m.first + m.count;
        });
        if (found == channel_bindings.end() || found->curve == driven.curve) return std::nullopt;
        return *found;
    }

    Driver driver_of(const DrivenCurve& driven)
    {
        const auto number = find_number(driven);
        const auto channel_binding = find_channel_binding(driven);
        if (!number || (channel_binding && unmade_.contains(channel_binding->curve))) {
            documents_.warn("driven_keys",
                            fmt::format("the driver of a curve, {}, is not a number of a transform or is "
                                        "recursive; the curve is constant",
                                        io::shown(driven.driver)),
                            driven.sampler);
            return {.rest = animations_.curves[driven.curve].first()};
        }
        if (channel_binding)
            return {.curve = &animations_.curves[channel_binding->curve],
                    .dimension = channel_binding->first_dimension + number->index - channel_binding->first,
                    .factor = channel_binding->factor};
        const auto kind = element_kind(number->element.name());
        return {.rest = read_element(number->element, *kind, documents_).values[number->index]};
    }

    LoadResult<void> make(const DrivenCurve& driven)
    {
        const Driver driver = driver_of(driven);
        SamplerCurve& curve = animations_.curves[driven.curve];
        SamplerCurve made;
        if (driver.curve == nullptr) {
            made.dimensions = curve.dimensions;
            made.times = {0.0};
            made.kinds = {SamplerInterpolation::linear};
            for (std::uint32_t d = 0; d < curve.dimensions; ++d)
                made.values.push_back(evaluate_extrapolated(curve, driver.rest, d, JumpSide::after));
        } else {
            made = sample_driven(curve, driver, max_values / driven_.size());
        }
        if (auto taken = documents_.at(driven.sampler, budget_.take_keys(5 * made.values.size(), {})); !taken)
            return taken;
        curve = std::move(made);
        unmade_.erase(driven.curve);
        return {};
    }

    const std::vector<DrivenCurve>& driven_;
    Animations& animations_;
    Documents& documents_;
    io::Budget& budget_;
    std::unordered_map<std::uint32_t, std::size_t> unresolved_; // by curve
    std::unordered_set<std::uint32_t> unmade_;
};

} // namespace

LoadResult<void> resolve_driven_curves(const std::vector<DrivenCurve>& driven, Animations& animations,
                                       Documents& documents, io::Budget& budget)
{
    return Resolver(driven, animations, documents, budget).run();
}

} // namespace vitrine::dae
