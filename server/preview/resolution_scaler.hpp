#pragma once
// Chooses the resolution of moving frames from the measured cost per pixel of this model on this machine,
// which includes waiting for other viewers. Pure.

namespace vitrine::server {

class ResolutionScaler {
public:
    // Records that a frame of `pixels` took `seconds` to render and encode.
    void record(bool moving, double pixels, double seconds);
    // Returns the scale of width and height, 1 at most, for a frame of `pixels` at full size while the
    // viewer drags or the clip plays. Changes in steps with hysteresis, because each change of size costs a
    // video a key frame; it returns to 1 also once the full size has been within the budget for a while.
    double scale_for_motion(double pixels, bool is_dragging);

private:
    static constexpr double drag_budget_s = 0.025; // to render and encode one frame
    static constexpr double playback_budget_s = 0.045;
    static constexpr double min_scale = 0.4;
    // Not less while frames of this scale take no longer than `full_rate_s`.
    static constexpr double full_rate_scale = 0.6;
    static constexpr double full_rate_s = 1.0 / 30.0;
    static constexpr double scale_step = 0.84; // 0.7 of the pixels
    // Below this size the cost of a frame does not depend on its pixels.
    static constexpr double min_cost_pixels = 256.0 * 256.0;
    static constexpr double smoothing_factor = 0.2; // of the running mean
    static constexpr int affordable_frames = 60;    // in a row, until the scale returns to 1

    double scale_ = 1.0;      // of the last moving frame
    double pixel_cost_ = 0.0; // seconds per pixel, running mean; of moving frames or of a still
    bool measured_in_motion_ = false;
    int frames_within_budget_ = 0; // measured in a row while the full size was within the budget
};

} // namespace vitrine::server
