#include "server/services/vectors/picture_walk.hpp"

#include <algorithm>
#include <random>

namespace vitrine::server {

void PictureWalk::want(PictureOwner owner)
{
    if (wanted_.size() < max_wanted)
        wanted_.push_back(std::move(owner));
    else
        next_walk_ = {};
}

PictureWalk::Work PictureWalk::next(Time instant, const std::function<std::int64_t()>& last_asset)
{
    if (is_pausing(instant)) return {};
    constexpr std::size_t at_once = 32;
    Work work;
    while (!wanted_.empty() && work.owners.size() < at_once) {
        work.owners.push_back(std::move(wanted_.front()));
        wanted_.pop_front();
    }
    if (!work.owners.empty()) return work;
    if (parts_.empty() && instant >= next_walk_) {
        for (std::int64_t first = 1, last = last_asset(); first <= last; first += part_size)
            parts_.push_back({first, first + part_size - 1});
        std::ranges::shuffle(parts_, std::minstd_rand(std::random_device{}()));
        next_walk_ = instant + interval;
    }
    if (!parts_.empty()) {
        work.parts.push_back(parts_.back());
        parts_.pop_back();
    }
    return work;
}

PictureWalk::Time PictureWalk::next_time() const
{
    const auto due = wanted_.empty() && parts_.empty() ? next_walk_ : Time{};
    return std::max(due, resumes_);
}

void PictureWalk::fail(Time instant, const Work& work)
{
    pause_ = std::clamp(pause_ * 2, first_pause_, max_pause);
    resumes_ = instant + pause_;
    parts_.insert(parts_.begin(), work.parts.begin(), work.parts.end());
    for (const auto& owner : work.owners)
        want(owner);
}

} // namespace vitrine::server
