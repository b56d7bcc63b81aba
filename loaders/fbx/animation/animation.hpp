#pragma once
// What a file animates, found by clip, object and property, alike for all versions: stacks of layers of curve
// nodes (version 7000 and later), `Takes` by the models' names before. Curves are decoded when asked for.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loaders/fbx/animation/animation_layers.hpp"
#include "loaders/fbx/curves/curve_keys.hpp"
#include "loaders/fbx/document/document.hpp"

namespace vitrine::fbx {

// The curves of one property on one layer, as the file has them.
struct CurveNode {
    std::uint32_t object = no_object;
    std::string_view property{};
    std::uint32_t layer = 0;
    std::array<Element, 3> curves;
    std::array<std::optional<double>, 3> defaults;
};

struct AnimationStack {
    std::string name;
    // Ticks on the file's time line; no start: the keys tell.
    std::optional<std::int64_t> start;
    std::int64_t stop = 0;
    std::vector<AnimationLayer> layers;
    std::vector<CurveNode> nodes; // sorted by object, property, layer

    std::span<const CurveNode> find(std::uint32_t object) const;
    std::span<const CurveNode> find(std::uint32_t object, std::string_view property) const;
};

// Outside their keys curves do as the file says, or hold their end values.
enum class ExtrapolationPolicy : std::uint8_t { as_stored, clamped };

class Animation {
public:
    // Error: limit_exceeded (clips, combinations of curve nodes). What cannot be read is a warning, later
    // too, when curves are asked for: the log must live as long, as the document must.
    static LoadResult<Animation> read(const Document& document, const Limits& limits,
                                      io::WarningLog& warnings,
                                      ExtrapolationPolicy ends = ExtrapolationPolicy::as_stored);

    const std::vector<AnimationStack>& stacks() const { return stacks_; }
    // Those that have curve nodes of an object, in their order. A file may have thousands of stacks and of
    // objects, of which few have to do with each other.
    auto stacks_of(std::uint32_t object) const
    {
        return std::ranges::equal_range(by_object_, object, {}, &ObjectStack::first) |
               std::views::transform([this](const ObjectStack& found) -> const AnimationStack& {
                   return stacks_[found.second];
               });
    }

    // The property under the layers of a stack. `resting` is its own value, which holds where nothing is
    // animated. Errors: as Element::array(), limit_exceeded when more keys are decoded than
    // limits.key_values.
    LoadResult<AnimatedProperty> property(const AnimationStack& stack, std::uint32_t object,
                                          std::string_view name, PropertyKind kind, const glm::dvec3& resting,
                                          RotationOrder order = RotationOrder::xyz) const;

    // Ticks of the first and the last key of all curves of a stack; none where it has no key.
    LoadResult<std::optional<std::pair<double, double>>> key_span(const AnimationStack& stack) const;
    std::uint64_t keys_read() const { return keys_read_; }

private:
    friend class AnimationReader;
    Animation(const Document& document, const Limits& limits, io::WarningLog& warnings,
              ExtrapolationPolicy ends)
        : document_(&document), limits_(&limits), warnings_(&warnings), ends_(ends)
    {
    }
    void warn_about_keys(const KeyFaults& faults, Element curve) const;
    LoadResult<Curve> curve(Element element) const;

    const Document* document_;
    const Limits* limits_;
    io::WarningLog* warnings_;
    ExtrapolationPolicy ends_;
    std::vector<AnimationStack> stacks_;
    using ObjectStack = std::pair<std::uint32_t, std::uint32_t>;
    std::vector<ObjectStack> by_object_; // objects with the stacks that have curve nodes of them; sorted
    mutable std::uint64_t keys_read_ = 0;
    mutable KeyFaults reported_;
};

// Frames a second by TimeMode and CustomFrameRate.
double frame_rate(const Document& document);
// Of a clip, with the ones at both its ends.
std::uint32_t frame_count(double duration, double frame_rate);

} // namespace vitrine::fbx
