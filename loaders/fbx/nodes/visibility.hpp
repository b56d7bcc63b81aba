#pragma once
// When models are shown: their Visibility, and that of those above from which they inherit it.

#include <unordered_map>
#include <vector>

#include "loaders/fbx/animation/animation.hpp"

namespace vitrine::fbx {

// Shown or not, turned over at each of the times (ticks, ascending).
struct Toggles {
    bool shown_at_first = true;
    std::vector<double> times;
};

// A model that takes part in what shows others.
struct VisibilityLink {
    bool moves = false;              // its own visibility, under some stack
    std::uint32_t above = no_object; // the nearest model from which it inherits one that moves

    bool is_still() const { return !moves && above == no_object; }
};

double resting_visibility(const Object& model);
// Of the model alone, under a stack. What a curve does outside its keys is held. Errors: as
// Animation::property().
LoadResult<Toggles> toggles_of(const Document& document, const Animation& animation,
                               const AnimationStack& stack, std::uint32_t model);
// Shown where both are.
Toggles intersect(const Toggles& a, const Toggles& b);

// Those of whole chains under one stack, each found once.
class VisibilitySource {
public:
    VisibilitySource(const Document& document, const Animation& animation, const AnimationStack& stack,
                     const std::vector<VisibilityLink>& links)
        : document_(document), animation_(animation), stack_(stack), links_(links)
    {
    }

    // Null where it turns over too often to be shown. Recursive, as deep as the models are nested.
    LoadResult<const Toggles*> of(std::uint32_t model);

private:
    const Document& document_;
    const Animation& animation_;
    const AnimationStack& stack_;
    const std::vector<VisibilityLink>& links_;            // by object
    std::unordered_map<std::uint32_t, Toggles> by_model_; // those that move
};

} // namespace vitrine::fbx
