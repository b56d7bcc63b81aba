#pragma once
// <library_animations> and <library_animation_clips>: which curve animates which number of which element.

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "loaders/dae/curves/curve.hpp"
#include "loaders/dae/sources/sources.hpp"
#include "loaders/dae/transforms/transforms.hpp"

namespace vitrine::dae {

// A clip: its curves and its range on the file's time line.
struct ClipRange {
    std::string name;
    double start = 0.0;
    double end = 0.0;
    std::vector<bool> plays; // by curve
};

struct Animations {
    std::vector<SamplerCurve> curves;
    std::unordered_map<const void*, std::vector<ChannelBinding>>
        by_element; // keys: a transform element or an array of morph weights
    std::vector<ClipRange> clips;
    std::optional<double> pose_time{}; // ExtrapolationOptions::pose_time

    // Makes all curves hold their end values outside their keys.
    void clamp_ends();
    // Replaces the clips by one clip with all curves.
    void join_clips(const std::string& name);

    const std::vector<ChannelBinding>& channel_bindings_of(io::XmlNode node) const
    {
        static const std::vector<ChannelBinding> none;
        const auto found = by_element.find(node.key());
        return found == by_element.end() ? none : found->second;
    }
};

// `name` is the name of the single clip in files without clips. Channels with targets other than transforms
// and morph weights (colors, cameras, lights) are reported as warnings; their curves count for the clips'
// time ranges and animate nothing.
LoadResult<Animations> read_animations(io::XmlNode root, const std::string& name, Documents& documents,
                                       Sources& sources, io::Budget& budget);

// Returns whether the element cannot be represented as a TRS, in the static pose or while animated: true for
// an animated matrix with shear in the static pose, at a key, or between keys when curves animate its numbers
// individually, and for a skew whose axes are not, or may not stay, perpendicular.
bool shears(const TransformElement& element, const Animations& animations);

} // namespace vitrine::dae
