#pragma once
// <sampler>s to curves.

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
    // `relative_tangents`: program.hpp. All others outlive it.
    CurveReader(bool relative_tangents, Documents& documents, Sources& sources, io::Budget& budget)
        : relative_tangents_(relative_tangents), documents_(documents), sources_(sources), budget_(budget)
    {
    }

    // Without keys: nothing usable.
    LoadResult<Curve> read(io::XmlNode sampler);
    // What names the number that its keys stand over instead of time (driven_keys.hpp), "wheel/translate(2)";
    // empty: none does.
    std::string driver_of(io::XmlNode sampler);
    // What was read of sources that many samplers may share.
    void clear()
    {
        interpolations_.clear();
        times_.clear();
    }

private:
    friend class SamplerReader;
    struct Interpolation {
        std::vector<KeyInterpolation> kinds;
        std::vector<std::pair<std::size_t, std::string_view>> unknown; // words, by their index
    };
    // What the source of the times says beside them.
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
    std::unordered_map<const void*, Times> times_;                  // likewise
};

} // namespace vitrine::dae
