#pragma once
// How a parent's scale reaches its children where their inherit type (RrSs, Rrs) has it otherwise than by
// matrices multiplied.
//
// A parent whose scale is the same along all axes passes on a number at most. Any other is split: its scale
// stands in a node below its own, such children hang above that, and their own scales and translations take
// of it what they should.

#include <cstdint>
#include <utility>
#include <vector>

#include "loaders/fbx/animation/animation.hpp"
#include "loaders/fbx/document/document.hpp"
#include "loaders/fbx/transforms/transform.hpp"

namespace vitrine::fbx {

// How a model's transform depends on those above, beyond the product of matrices. The scales of its
// inheritance are `factor` times the Lcl Scaling of `link`, times those of link's inheritance.
struct ScaleInheritance {
    std::uint32_t link = no_object;
    double factor = 1.0;
    std::uint32_t split_parent = no_object; // the split parent whose whole scale the translation takes
};

// Of all models, read one by one from the top.
class ScaleInheritances {
public:
    ScaleInheritances(const Document& document, const Animation& animation)
        : document_(document), animation_(animation), by_object_(document.objects().size()),
          is_split_(document.objects().size(), false)
    {
    }

    // Precondition: the parent was read before, or is the root (0). `placed`, by object: models that have
    // their place already, so that they are no children of this one. Errors: those of Animation::property().
    LoadResult<void> read(std::uint32_t model, std::uint32_t parent, const std::vector<bool>& placed);

    // Of models that were read.
    bool is_split(std::uint32_t model) const { return is_split_[model]; }
    bool is_below_split(std::uint32_t model) const { return by_object_[model].split_parent != no_object; }
    // A model's own transform and what it inherits, at rest.
    DoubleTrs apply(std::uint32_t model, DoubleTrs local) const;

    // By object; nothing else may be asked afterwards.
    std::vector<ScaleInheritance> take() { return std::move(by_object_); }

private:
    void inherit(std::uint32_t model, std::uint32_t parent);
    LoadResult<bool> splits(std::uint32_t model, const std::vector<bool>& placed) const;
    LoadResult<void> check_scale(std::uint32_t model, bool& uniform, bool& constant) const;
    glm::dvec3 inherited_scale(std::uint32_t model) const;
    glm::dvec3 resting_scale(std::uint32_t model) const;
    InheritType type_of(std::uint32_t model) const;

    const Document& document_;
    const Animation& animation_;
    std::vector<ScaleInheritance> by_object_;
    std::vector<bool> is_split_; // by object
};

} // namespace vitrine::fbx
