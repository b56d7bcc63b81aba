#pragma once
// One timeline semaphore orders all work: each submission increments its value, and resources of a submission
// are kept until the semaphore has reached its value.

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

    // Returns the semaphore value that is reached when `commands` have completed.
    std::uint64_t submit(VkCommandBuffer commands);
    // The value of the last submission.
    std::uint64_t submitted() const { return submitted_; }
    // Whether all submissions have completed.
    bool is_idle() const { return reached() == submitted_; }
    // Throws DeviceLost; if the timeout expires first, the device is abandoned. Does not wait for a device
    // that was abandoned.
    void wait(std::uint64_t value);
    // Returns false if the timeout has expired first. A lost device counts as having reached every value.
    // Any thread, while the timeline exists.
    bool wait_on_any_thread(std::uint64_t value) const noexcept;
    // Abandons the device, for which wait_on_any_thread() has waited too long.
    [[noreturn]] void abandon_device();
    // Waits for all submissions, so that their resources may be destroyed. On a lost device all work counts
    // as completed; a hung device is abandoned.
    void drain() noexcept;

    // Keeps `object` until all current submissions have completed.
    template <class T>
    void defer_destroy(T object)
    {
        deletion_queue_.push_back({submitted_, std::make_shared<T>(std::move(object))});
    }
    // Destroys objects whose submissions have completed.
    void destroy_expired();

private:
    struct PendingDeletion {
        std::uint64_t last_use;
        std::shared_ptr<void> object;
    };

    VkResult wait_for(std::uint64_t value) const noexcept;
    std::uint64_t reached() const;

    Device* device_;
    std::chrono::nanoseconds timeout_;
    SemaphoreHandle semaphore_;
    std::uint64_t submitted_ = 0;
    std::vector<PendingDeletion> deletion_queue_;
};

} // namespace vitrine::render
