#pragma once
// Whether a clip shows anything but the static pose. Pure.

#include "loaders/scene/motion/pose.hpp"

namespace vitrine::scene {

// Of one scene, which must outlive it.
class ClipMotion {
public:
    // `size`: of the model, scene units; by it a way counts as one.
    ClipMotion(const Scene& scene, double size);

    // Keys differ: the clip is seen to move, if only a little.
    bool moves(const Clip& clip) const;
    // It stands still, in another pose than the static one.
    bool differs_from_rest_pose(const Clip& clip) const;

private:
    float min_change(Path path) const { return path == Path::translation ? min_translation_ : 1e-4f; }
    bool moves(const Channel& channel) const;
    bool differs_from_rest(const Channel& channel) const;

    Pose rest_;
    float min_translation_; // 1e-4 of the size, at most of a metre
};

} // namespace vitrine::scene
