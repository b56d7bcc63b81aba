#pragma once
// Number of images per batch, chosen by the measured time of previous batches. Submitted work cannot be
// cancelled, so a batch bounds the time that other requests wait. Pure.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>

namespace vitrine::server {

struct BatchBudget {
    std::chrono::milliseconds time;
    std::size_t images;
    std::size_t uncalibrated; // images in a batch of unknown cost, which includes the upload of the scene
};

// Used while other requests wait: delays a live view by one or two frames.
inline constexpr BatchBudget interactive_budget{std::chrono::milliseconds(20), 16, 2};
// Used while no other request waits: a sequence is one batch and one submission unless it is long. Two of
// them may be in flight.
inline constexpr BatchBudget background_budget{std::chrono::milliseconds(250), 256, 1};

class AdaptiveBatchSize {
public:
    // Sets the expected time of one image before the first batch.
    void expect(std::optional<std::chrono::nanoseconds> image_time)
    {
        if (image_time && !image_time_) image_time_ = at_least(*image_time);
    }

    // The expected time of this number of images; empty: unknown.
    std::optional<std::chrono::nanoseconds> time_of(std::size_t images) const
    {
        if (!image_time_) return std::nullopt;
        return *image_time_ * static_cast<std::int64_t>(images);
    }

    std::size_t next(const BatchBudget& limits) const
    {
        if (!image_time_) return limits.uncalibrated;
        const auto fitting = static_cast<std::size_t>(limits.time / *image_time_);
        return std::clamp<std::size_t>(fitting, 1,
                                       max_images_ ? std::min(limits.images, *max_images_) : limits.images);
    }

    // The time of a few images is imprecise: a batch has at most four times the images of the previous one.
    void measured(std::size_t images, std::chrono::nanoseconds time)
    {
        const auto drawn = std::max<std::size_t>(images, 1);
        image_time_ = at_least(time / static_cast<std::int64_t>(drawn));
        max_images_ = 4 * drawn;
    }

private:
    static std::chrono::nanoseconds at_least(std::chrono::nanoseconds time)
    {
        return std::max<std::chrono::nanoseconds>(time, std::chrono::microseconds(1));
    }

    std::optional<std::chrono::nanoseconds> image_time_;
    std::optional<std::size_t> max_images_;
};

} // namespace vitrine::server
