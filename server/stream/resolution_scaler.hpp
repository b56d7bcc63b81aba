#pragma once
// How large what moves is drawn, told by what a pixel record on this machine, of this model. Pure.

namespace vitrine::server {

class ResolutionScaler {
public:
    // A picture of so many pixels record `seconds` to be drawn and encoded.
    void record(bool moving, double pixels, double seconds);
    // Of the sides, 1 at most, for a full picture of so many pixels that is dragged or plays. In steps that
    // hold until they are clearly wrong: each change costs a video a key frame.
    double scale_for_motion(double pixels, bool is_dragging);

private:
    static constexpr double drag_budget_s = 0.025; // to draw and encode a picture in
    static constexpr double playback_budget_s = 0.045;
    static constexpr double least = 0.4;
    static constexpr double step = 0.84;                   // of sides: 0.7 of the pixels
    static constexpr double small_picture = 256.0 * 256.0; // what it takes is no matter of its pixels
    static constexpr double smoothing_factor = 0.2;        // in the running mean

    double scale_ = 1.0;      // of the last picture that moved
    double pixel_cost_ = 0.0; // seconds, running mean; of what moves or of a still
    bool measured_in_motion_ = false;
};

} // namespace vitrine::server
