#pragma once
// Decides whether moving frames use the LOD scene, from measured render times of this model at this size on
// this machine (not from its triangle count). Pure.

namespace vitrine::server {

class LodSelector {
public:
    // Discards the measurements, after a change of size or frame rate.
    void forget() { *this = {}; }
    // Records that a frame with all triangles took `seconds` to render; `frame_interval`: seconds between
    // two moving frames.
    void record_full_detail(bool moving, double seconds, double frame_interval);
    bool use_lod() const { return late_ >= max_consecutive_late; }

private:
    // A single late frame may have compiled a shader or waited for another task.
    static constexpr int max_consecutive_late = 3;
    // A frame that takes longer than this, and so than any compilation, decides at once, also at rest: three
    // of them would be seconds.
    static constexpr double max_full_detail_seconds = 0.4;
    // A still faster than this fraction of the frame interval switches back to all triangles.
    static constexpr double rest_threshold = 0.6;

    int late_ = 0; // consecutive late frames
};

} // namespace vitrine::server
