#pragma once
// The playback position: seconds from the clip's start at a given time, without a timer. Pure.

#include <chrono>
#include <cstdint>

namespace vitrine::server {

using PreviewTime = std::chrono::steady_clock::time_point;

enum class LoopMode : std::uint8_t { repeat, pingpong, once };

class PlaybackClock {
public:
    void set_duration(double seconds) { duration_ = seconds; } // of the clip; 0: the time is constant
    void seek(double time, PreviewTime now);
    void set_playing(bool playing, PreviewTime now);
    void set_speed(double speed, PreviewTime now);
    void set_loop(LoopMode loop, PreviewTime now);

    double at(PreviewTime now) const;
    // The last multiple of `step` seconds before at(), in the direction of time; the end of LoopMode::once
    // stays exact.
    double at_step(PreviewTime now, double step) const;
    // Returns when at_step() changes next, at least a millisecond after `now`. Precondition: running().
    PreviewTime next_step(PreviewTime now, double step) const;
    bool playing() const { return playing_; }
    // Returns whether it plays and the time changes.
    bool running() const { return playing_ && speed_ != 0.0 && duration_ > 0.0; }
    // Returns whether LoopMode::once has reached the end (backwards: the start).
    bool ended(PreviewTime now) const;

private:
    double unfolded(PreviewTime now) const; // the time without wrapping at the clip's ends
    double fold(double time) const;
    bool is_past_end(double time) const; // past the start for backward playback

    double duration_ = 0.0;
    double anchor_ = 0.0; // unfolded time at since_
    PreviewTime since_{};
    double speed_ = 1.0;
    bool playing_ = false;
    LoopMode loop_ = LoopMode::repeat;
};

} // namespace vitrine::server
