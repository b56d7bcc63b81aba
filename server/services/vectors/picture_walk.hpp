#pragma once
// Which parts of the catalog a process looks through for assets without a vector, and when. Not thread-safe.

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "server/services/vectors/picture_index.hpp"

namespace vitrine::server {

class PictureWalk {
public:
    using Time = std::chrono::steady_clock::time_point;

    struct AssetRange { // of their numbers
        std::int64_t first = 0;
        std::int64_t last = 0;
    };
    static constexpr std::int64_t part_size = 2'000;
    static constexpr std::size_t max_wanted = 10'000; // more: all assets are looked through again
    static constexpr std::chrono::minutes interval{60};
    static constexpr std::chrono::milliseconds max_pause{300'000};

    explicit PictureWalk(std::chrono::milliseconds first_pause) : first_pause_(first_pause) {}

    // Has just got its thumbnail.
    void want(PictureOwner owner);
    // What to do next; those that are wanted first. Both empty: nothing before next_time().
    struct Work {
        std::vector<PictureOwner> owners{};
        std::vector<AssetRange> parts{}; // at most one
    };
    // `last_asset`: the number of the newest. The parts come in random order, so that the processes of one
    // catalog do not do the same.
    Work next(Time instant, const std::function<std::int64_t()>& last_asset);
    Time next_time() const;

    void succeed() { pause_ = std::chrono::milliseconds(0); }
    // What was not done is done again after a pause, which grows from one time to the next.
    void fail(Time instant, const Work& work);
    bool is_pausing(Time instant) const { return instant < resumes_; }

private:
    std::chrono::milliseconds first_pause_;
    std::chrono::milliseconds pause_{0};
    Time resumes_{};
    Time next_walk_{};
    std::deque<PictureOwner> wanted_;
    std::vector<AssetRange> parts_;
};

} // namespace vitrine::server
