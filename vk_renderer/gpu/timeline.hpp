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

    // Keeps `body` until everything submitted so far is done.
    template <class T>
    void bury(T body)
    {
        graves_.push_back({submitted_, std::make_shared<T>(std::move(body))});
    }
    // Destroys what the device has passed.
    void collect();

private:
    struct Grave {
        std::uint64_t last_use;
        std::shared_ptr<void> body;
    };

    Device* device_;
    std::chrono::nanoseconds timeout_;
    SemaphoreHandle semaphore_;
    std::uint64_t submitted_ = 0;
    std::vector<Grave> graves_;
};

} // namespace vitrine::render
