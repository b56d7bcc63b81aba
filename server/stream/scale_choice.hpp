#pragma once
// How large what moves is drawn, told by what a pixel took on this machine, of this model. Pure.

namespace vitrine::server {

class ScaleChoice {
public:
    // A picture of so many pixels took `seconds` to be drawn and encoded.
    void took(bool moving, double pixels, double seconds);
    // Of the sides, 1 at most, for a full picture of so many pixels that is dragged or plays. In steps that
    // hold until they are clearly wrong: each change costs a video a key frame.
    double of_moving(double pixels, bool drags);

private:
    static constexpr double dragged_s = 0.025; // to draw and encode a picture in
    static constexpr double played_s = 0.045;
    static constexpr double least = 0.4;
    static constexpr double step = 0.84;                   // of sides: 0.7 of the pixels
    static constexpr double small_picture = 256.0 * 256.0; // what it takes is no matter of its pixels
    static constexpr double share_of_new = 0.2;            // in the running mean

    double scale_ = 1.0;      // of the last picture that moved
    double pixel_cost_ = 0.0; // seconds, running mean; of what moves or of a still
    bool of_what_moves_ = false;
};

} // namespace vitrine::server
