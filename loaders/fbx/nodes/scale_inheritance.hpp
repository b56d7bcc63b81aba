#pragma once
// How a parent's scale reaches its children when their inherit type (RrSs, Rrs) differs from a plain matrix
// product.
//
// A parent with uniform scale passes on a scalar at most. A parent with non-uniform scale is split: its scale
// moves to a node below its own, such children are attached above that node, and their own scales and
// translations include the inherited part.

#include <cstdint>
#include <utility>
#include <vector>

#include "loaders/fbx/animation/animation.hpp"
#include "loaders/fbx/document/document.hpp"
#include "loaders/fbx/transforms/transform.hpp"

namespace vitrine::fbx {

// How a model's transform depends on its ancestors beyond the matrix product. The inherited scale is `factor`
// times the Lcl Scaling of `link`, times the scale that link inherits.
struct ScaleInheritance {
    std::uint32_t link = no_object;
    double factor = 1.0;
    std::uint32_t split_parent =
        no_object; // the split parent whose complete scale applies to the translation
};

// The scale inheritance of all models, read in order from the root.
class ScaleInheritances {
public:
    ScaleInheritances(const Document& document, const AnimationStacks& animation)
        : document_(document), animation_(animation), by_object_(document.objects().size()),
          is_split_(document.objects().size(), false)
    {
    }

    // Precondition: the parent was read before, or is the root (0). `placed`, by object: models that are
    // already in the tree and so are not children of this one. Errors: those of AnimationStacks::property().
    LoadResult<void> read(std::uint32_t model, std::uint32_t parent, const std::vector<bool>& placed);

    // Precondition: the model was read.
    bool is_split(std::uint32_t model) const { return is_split_[model]; }
    bool is_below_split(std::uint32_t model) const { return by_object_[model].split_parent != no_object; }
    // Applies a model's inherited scale to its own static transform.
    DoubleTrs apply(std::uint32_t model, DoubleTrs local) const;

    // Returns the results by object; the instance must not be used afterwards.
    std::vector<ScaleInheritance> take() { return std::move(by_object_); }

private:
    void inherit(std::uint32_t model, std::uint32_t parent);
    LoadResult<bool> splits(std::uint32_t model, const std::vector<bool>& placed) const;
    LoadResult<void> check_scale(std::uint32_t model, bool& uniform, bool& constant) const;
    glm::dvec3 inherited_scale(std::uint32_t model) const;
    glm::dvec3 static_scale(std::uint32_t model) const;
    InheritType type_of(std::uint32_t model) const;

    const Document& document_;
    const AnimationStacks& animation_;
    std::vector<ScaleInheritance> by_object_;
    std::vector<bool> is_split_; // by object
};

} // namespace vitrine::fbx
