#pragma once
// Whether what moves is drawn with fewer triangles, told by what drawing took on this machine, of this model,
// in this size, and not by the model's triangles. Pure.

namespace vitrine::server {

class DetailChoice {
public:
    // Of another size or at another rate: nothing is known.
    void forget() { *this = {}; }
    // A frame took `seconds` to be drawn, with all triangles; `beat`: seconds between two frames that move.
    void drew_all(bool moving, double seconds, double beat);
    bool fewer() const { return late_ >= late_in_a_row; }

private:
    static constexpr int late_in_a_row = 3; // one alone may have compiled a shader or waited for another job
    static constexpr double easy = 0.6; // of the beat, that a still takes where all triangles will do again

    int late_ = 0;
};

} // namespace vitrine::server
