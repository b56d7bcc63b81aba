#pragma once
// The animation of a file, indexed by clip, object and property, in one form for all versions: stacks of
// layers of curve nodes (version 7000 and later), or `Takes` by model name (earlier versions). Curves are
// decoded on demand.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loaders/base/extrapolation_policy.hpp"
#include "loaders/fbx/animation/animation_layers.hpp"
#include "loaders/fbx/curves/curve_keys.hpp"
#include "loaders/fbx/document/document.hpp"

namespace vitrine::fbx {

// The curves of one property on one layer, as stored in the file.
struct CurveNode {
    std::uint32_t object = no_object;
    std::string_view property{};
    std::uint32_t layer = 0;
    std::array<Element, 3> curves;
    std::array<std::optional<double>, 3> defaults;
};

struct AnimationStack {
    std::string name;
    // In ticks on the file's time line; without a value the start follows from the keys.
    std::optional<std::int64_t> start;
    std::int64_t stop = 0;
    std::vector<AnimationLayer> layers;
    std::vector<CurveNode> nodes; // sorted by object, property, layer

    std::span<const CurveNode> find(std::uint32_t object) const;
    std::span<const CurveNode> find(std::uint32_t object, std::string_view property) const;
};

class AnimationStacks {
public:
    // Error: limit_exceeded (clips, combinations of curve nodes). Unreadable parts are reported as warnings,
    // also later when curves are decoded, so the log and the document must outlive the result.
    static LoadResult<AnimationStacks> read(const Document& document, const Limits& limits,
                                            io::WarningLog& warnings,
                                            ExtrapolationPolicy policy = ExtrapolationPolicy::extrapolated);

    const std::vector<AnimationStack>& stacks() const { return stacks_; }
    // Returns the stacks with curve nodes of an object, in stack order. Avoids a search over all stacks: a
    // file may have thousands of stacks and objects, few of them related.
    auto stacks_of(std::uint32_t object) const
    {
        return std::ranges::equal_range(by_object_, object, {}, &ObjectStack::first) |
               std::views::transform([this](const ObjectStack& found) -> const AnimationStack& {
                   return stacks_[found.second];
               });
    }

    // Returns the property under the layers of a stack. `static_value` is the property's static value, used
    // where nothing is animated. Errors: as Element::array(); limit_exceeded when more than limits.key_values
    // keys are decoded.
    LoadResult<AnimatedProperty> property(const AnimationStack& stack, std::uint32_t object,
                                          std::string_view name, PropertyKind kind,
                                          const glm::dvec3& static_value,
                                          RotationOrder order = RotationOrder::xyz) const;

    // Returns the times of the first and the last key of all curves of a stack, in ticks; nullopt without
    // keys.
    LoadResult<std::optional<std::pair<double, double>>> key_span(const AnimationStack& stack) const;
    std::uint64_t keys_read() const { return keys_read_; }

private:
    friend class AnimationReader;
    AnimationStacks(const Document& document, const Limits& limits, io::WarningLog& warnings,
                    ExtrapolationPolicy policy)
        : document_(&document), limits_(&limits), warnings_(&warnings), policy_(policy)
    {
    }
    void warn_about_keys(const KeyFaults& faults, Element curve) const;
    LoadResult<Curve> curve(Element element) const;

    const Document* document_;
    const Limits* limits_;
    io::WarningLog* warnings_;
    ExtrapolationPolicy policy_;
    std::vector<AnimationStack> stacks_;
    using ObjectStack = std::pair<std::uint32_t, std::uint32_t>;
    std::vector<ObjectStack>
        by_object_; // objects with the stacks that have curve nodes of them; sorted by object
    mutable std::uint64_t keys_read_ = 0;
    mutable KeyFaults reported_;
};

// Returns frames per second from TimeMode and CustomFrameRate.
double frame_rate(const Document& document);
// Returns the number of frames of a clip, both end frames included.
std::uint32_t frame_count(double duration, double frame_rate);

} // namespace vitrine::fbx
