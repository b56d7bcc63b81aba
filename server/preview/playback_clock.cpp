#include "server/preview/playback_clock.hpp"

#include <algorithm>
#include <cmath>

namespace vitrine::server {
namespace {

// Non-negative remainder.
double wrap(double value, double length)
{
    double rest = std::fmod(value, length);
    return rest < 0.0 ? rest + length : rest;
}

} // namespace

double PlaybackClock::unfolded(PreviewTime now) const
{
    if (!running()) return anchor_;
    return anchor_ + speed_ * std::chrono::duration<double>(now - since_).count();
}

// Includes both ends of the clip, so that a seek to the end shows the end.
double PlaybackClock::fold(double time) const
{
    if (duration_ <= 0.0) return time;
    if (time >= 0.0 && time <= duration_) return time;
    switch (loop_) {
    case LoopMode::repeat: return wrap(time, duration_);
    case LoopMode::once: return std::clamp(time, 0.0, duration_);
    case LoopMode::pingpong: break;
    }
    double there_and_back = wrap(time, 2.0 * duration_);
    return there_and_back <= duration_ ? there_and_back : 2.0 * duration_ - there_and_back;
}

bool PlaybackClock::is_past_end(double time) const
{
    return speed_ > 0.0 ? time >= duration_ : time <= 0.0;
}

double PlaybackClock::at(PreviewTime now) const
{
    return fold(unfolded(now));
}

double PlaybackClock::at_step(PreviewTime now, double step) const
{
    const double time = at(now);
    if (!running() || ended(now)) return time;
    return std::floor(time / step) * step;
}

PreviewTime PlaybackClock::next_step(PreviewTime now, double step) const
{
    const double past = wrap(unfolded(now), step);
    const double seconds = std::max(1e-3, (speed_ > 0.0 ? step - past : past) / std::abs(speed_));
    return now + std::chrono::duration_cast<PreviewTime::duration>(std::chrono::duration<double>(seconds));
}

bool PlaybackClock::ended(PreviewTime now) const
{
    if (!running() || loop_ != LoopMode::once) return false;
    return is_past_end(unfolded(now));
}

void PlaybackClock::seek(double time, PreviewTime now)
{
    anchor_ = duration_ > 0.0 ? std::clamp(time, 0.0, duration_) : time;
    since_ = now;
}

void PlaybackClock::set_playing(bool playing, PreviewTime now)
{
    if (playing == playing_) return;
    anchor_ = unfolded(now);
    since_ = now;
    playing_ = playing;
    // Play after the end restarts from the opposite end.
    if (playing && loop_ == LoopMode::once && is_past_end(anchor_)) anchor_ = speed_ > 0.0 ? 0.0 : duration_;
    if (!playing) anchor_ = fold(anchor_);
}

void PlaybackClock::set_speed(double speed, PreviewTime now)
{
    anchor_ = unfolded(now);
    since_ = now;
    speed_ = speed;
}

void PlaybackClock::set_loop(LoopMode loop, PreviewTime now)
{
    if (loop == loop_) return;
    anchor_ = at(now);
    since_ = now;
    loop_ = loop;
}

} // namespace vitrine::server
