#pragma once
// One timeline semaphore orders everything: each submission raises it by one, and what a submission uses
// lives until the timeline has passed its number.

#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "vk_renderer/gpu/handle.hpp"

namespace vitrine::render {

class Timeline {
public:
    Timeline(Device& device, std::chrono::milliseconds timeout);
    ~Timeline(); // drain()
    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;

    // Returns the number that is reached when `commands` are done.
    std::uint64_t submit(VkCommandBuffer commands);
    // Throws DeviceLost; abandons the device when the timeout passes first.
    void wait(std::uint64_t value);
    // Waits for all that was submitted, so that what it uses may be destroyed. A lost device is through with
    // everything; one that hangs is abandoned.
    void drain() noexcept;
    std::uint64_t last_submitted() const { return submitted_; }

    // Keeps `object` until everything submitted so far is done.
    template <class T>
    void defer_destroy(T object)
    {
        deletion_queue_.push_back({submitted_, std::make_shared<T>(std::move(object))});
    }
    // Destroys what the device has passed.
    void collect();

private:
    struct PendingDeletion {
        std::uint64_t last_use;
        std::shared_ptr<void> object;
    };

    Device* device_;
    std::chrono::nanoseconds timeout_;
    SemaphoreHandle semaphore_;
    std::uint64_t submitted_ = 0;
    std::vector<PendingDeletion> deletion_queue_;
};

} // namespace vitrine::render
