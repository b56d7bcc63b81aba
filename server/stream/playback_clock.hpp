#pragma once
// The playback position: seconds from the clip's start at a given time, without a timer. Pure.

#include <chrono>
#include <cstdint>

namespace vitrine::server {

using StreamTime = std::chrono::steady_clock::time_point;

enum class LoopMode : std::uint8_t { repeat, pingpong, once };

class PlaybackClock {
public:
    void set_duration(double seconds) { duration_ = seconds; } // of the clip; 0: the time is constant
    void seek(double time, StreamTime now);
    void set_playing(bool playing, StreamTime now);
    void set_speed(double speed, StreamTime now);
    void set_loop(LoopMode loop, StreamTime now);

    double at(StreamTime now) const;
    bool playing() const { return playing_; }
    // Returns whether it plays and the time changes.
    bool running() const { return playing_ && speed_ != 0.0 && duration_ > 0.0; }
    // Returns whether LoopMode::once has reached the end (backwards: the start).
    bool ended(StreamTime now) const;

private:
    double unfolded(StreamTime now) const; // the time without wrapping at the clip's ends
    double fold(double time) const;
    bool is_past_end(double time) const; // past the start for backward playback

    double duration_ = 0.0;
    double anchor_ = 0.0; // unfolded time at since_
    StreamTime since_{};
    double speed_ = 1.0;
    bool playing_ = false;
    LoopMode loop_ = LoopMode::repeat;
};

} // namespace vitrine::server
