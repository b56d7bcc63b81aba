#pragma once
// Whether what moves is drawn with use_lod triangles, told by what drawing took on this machine, of this
// model, in this size, and not by the model's triangles. Pure.

namespace vitrine::server {

class LodSelector {
public:
    // Of another size or at another rate: nothing is known.
    void forget() { *this = {}; }
    // A frame took `seconds` to be drawn, with all triangles; `frame_interval`: seconds between two frames
    // that move.
    void record_full_detail(bool moving, double seconds, double frame_interval);
    bool use_lod() const { return late_ >= max_consecutive_late; }

private:
    static constexpr int max_consecutive_late =
        3; // one alone may have compiled a shader or waited for another job
    static constexpr double rest_threshold =
        0.6; // of the frame_interval, that a still takes where all triangles will do again

    int late_ = 0;
};

} // namespace vitrine::server
