#pragma once
// <library_animations> and <library_animation_clips>: which curve moves which number of which element.

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "loaders/dae/curves/curve.hpp"
#include "loaders/dae/sources/sources.hpp"
#include "loaders/dae/transforms/transforms.hpp"

namespace vitrine::dae {

// Which curves play, and when, on the file's time line.
struct ClipRange {
    std::string name;
    double start = 0.0;
    double end = 0.0;
    std::vector<bool> plays; // by curve
};

struct Animations {
    std::vector<Curve> curves;
    std::unordered_map<const void*, std::vector<ChannelBinding>> by_element; // a transform element, or an
                                                                             // array of morph weights
    std::vector<ClipRange> clips;
    std::optional<double> pose_time{}; // ExtrapolationOptions::pose_time

    // Outside their keys all curves have their end values.
    void clamp_ends();
    // One clip for all curves.
    void join_clips(const std::string& name);

    const std::vector<ChannelBinding>& channel_bindings_of(io::XmlNode node) const
    {
        static const std::vector<ChannelBinding> none;
        const auto found = by_element.find(node.key());
        return found == by_element.end() ? none : found->second;
    }
};

// `name`: of the clip that holds everything where the file has no clips. What is no transform and no morph
// weight (colors, cameras, lights) costs a warning; its curves count for the clips and move nothing.
LoadResult<Animations> read_animations(io::XmlNode root, const std::string& name, Documents& documents,
                                       Sources& sources, io::Budget& budget);

} // namespace vitrine::dae
