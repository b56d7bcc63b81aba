#pragma once
// Where playback stands: seconds from the clip's start at any moment, without ticking. Pure.

#include <chrono>
#include <cstdint>

namespace vitrine::server {

using StreamTime = std::chrono::steady_clock::time_point;

enum class LoopMode : std::uint8_t { repeat, pingpong, once };

class PlaybackClock {
public:
    void set_duration(double seconds)
    {
        duration_ = seconds;
    } // of the clip; 0: time stands at what was sought
    void seek(double time, StreamTime now);
    void set_playing(bool playing, StreamTime now);
    void set_speed(double speed, StreamTime now);
    void set_loop(LoopMode loop, StreamTime now);

    double at(StreamTime now) const;
    bool playing() const { return playing_; }
    // Playing, and time moves.
    bool running() const { return playing_ && speed_ != 0.0 && duration_ > 0.0; }
    // With LoopMode::once the end (or, backwards, the start) was reached.
    bool ended(StreamTime now) const;

private:
    double unfolded(StreamTime now) const; // time as if the clip had no ends
    double fold(double time) const;
    bool is_past_end(double time) const; // the start, backwards

    double duration_ = 0.0;
    double anchor_ = 0.0; // unfolded time at since_
    StreamTime since_{};
    double speed_ = 1.0;
    bool playing_ = false;
    LoopMode loop_ = LoopMode::repeat;
};

} // namespace vitrine::server
