#pragma once
// Reads <sampler>s as curves.

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "loaders/dae/curves/curve.hpp"
#include "loaders/dae/sources/sources.hpp"

namespace vitrine::dae {

class CurveReader {
public:
    // `relative_tangents`: see authoring_tool.hpp. All other arguments must outlive it.
    CurveReader(bool relative_tangents, Documents& documents, Sources& sources, io::Budget& budget)
        : relative_tangents_(relative_tangents), documents_(documents), sources_(sources), budget_(budget)
    {
    }

    // Returns a curve without keys when nothing is usable.
    LoadResult<SamplerCurve> read(io::XmlNode sampler);
    // Returns the name of the number that drives the keys instead of time (driven_keys.hpp), such as
    // "wheel/translate(2)"; empty without one.
    std::string driver_of(io::XmlNode sampler);
    // Clears the cache of sources, which many samplers may share.
    void clear()
    {
        interpolations_.clear();
        times_.clear();
    }

private:
    friend class SamplerReader;
    struct Interpolation {
        std::vector<SamplerInterpolation> kinds;
        std::vector<std::pair<std::size_t, std::string_view>> unknown; // unknown words with their index
    };
    // Further data of the source of the times.
    struct Times {
        io::XmlNode before, after; // Maya's pre_infinity and post_infinity
        io::XmlNode driver;
    };

    const Interpolation& interpolation_of(io::XmlNode source);
    const Times& times_of(io::XmlNode source);

    bool relative_tangents_;
    Documents& documents_;
    Sources& sources_;
    io::Budget& budget_;
    std::unordered_map<const void*, Interpolation> interpolations_; // by source
    std::unordered_map<const void*, Times> times_;                  // by source
};

} // namespace vitrine::dae
