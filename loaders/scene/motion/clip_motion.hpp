#pragma once
// Tests whether a clip differs from the static pose. Pure functions.

#include "loaders/scene/motion/pose.hpp"

namespace vitrine::scene {

// Refers to one scene, which must outlive it.
class ClipMotion {
public:
    // `size`: size of the model in scene units; determines the smallest translation that counts as motion.
    ClipMotion(const Scene& scene, double size);

    // Whether keys differ, so that the clip shows at least a little motion.
    bool moves(const Clip& clip) const;
    // Whether the clip holds a constant pose other than the static pose.
    bool differs_from_static_pose(const Clip& clip) const;

private:
    float min_change(Path path) const { return path == Path::translation ? min_translation_ : 1e-4f; }
    bool moves(const Channel& channel) const;
    bool differs_from_rest(const Channel& channel) const;

    Pose rest_;
    float min_translation_; // 1e-4 of the size, at most 1e-4 m
};

} // namespace vitrine::scene
