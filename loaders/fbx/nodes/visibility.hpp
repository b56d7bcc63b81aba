#pragma once
// When models are visible: their own Visibility and that inherited from ancestors.

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "loaders/fbx/animation/animation.hpp"
#include "loaders/fbx/document/document.hpp"

namespace vitrine::fbx {

// Visible or not, toggled at each of the times (ticks, ascending).
struct Toggles {
    bool shown_at_first = true;
    std::vector<double> times;
};

// A model whose visibility affects itself or others.
struct VisibilityLink {
    bool moves = false;              // its own visibility is animated in some stack
    std::uint32_t above = no_object; // the nearest ancestor with animated visibility from which it inherits

    bool is_still() const { return !moves && above == no_object; }
};

double static_visibility(const Object& model);
// Returns the visibility of the model alone under a stack. Curves are held outside their keys. Errors: as
// AnimationStacks::property().
LoadResult<Toggles> read_toggles(const Document& document, const AnimationStacks& animation,
                                 const AnimationStack& stack, std::uint32_t model);
// Returns the times at which both are visible.
Toggles intersect(const Toggles& a, const Toggles& b);

// Computes the visibility of whole inheritance chains under one stack; each is computed once.
class VisibilitySource {
public:
    VisibilitySource(const Document& document, const AnimationStacks& animation, const AnimationStack& stack,
                     const std::vector<VisibilityLink>& links)
        : document_(document), animation_(animation), stack_(stack), links_(links)
    {
    }

    // Returns null when it toggles more often than the limit. Recursive, to the depth of the models.
    LoadResult<const Toggles*> find_or_build(std::uint32_t model);

private:
    const Document& document_;
    const AnimationStacks& animation_;
    const AnimationStack& stack_;
    const std::vector<VisibilityLink>& links_;            // by object
    std::unordered_map<std::uint32_t, Toggles> by_model_; // models with animated visibility
};

// How a level-of-detail group (FbxLODGroup) shows one of its child models.
struct GroupChild {
    bool hidden = false;        // the group hides it in all levels
    scene::LevelRange levels{}; // in which it is drawn otherwise
};
// Returns the children of a group; empty when `model` is not one. If the group sets levels to visible, those
// are shown together; otherwise each child that it does not hide is one level, from the most detailed one.
std::vector<GroupChild> children_of_group(const Document& document, std::uint32_t model,
                                          std::size_t children);

} // namespace vitrine::fbx
