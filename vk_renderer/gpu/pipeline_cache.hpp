#pragma once
// Stores compiled pipelines on disk, so that a start does not compile them again. A file is used only by the
// device and driver that wrote it; a damaged or foreign file is ignored and overwritten.

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "vk_renderer/gpu/handle.hpp"

namespace vitrine::render {

// Identifies the device and driver of a file.
struct PipelineCacheKey {
    std::uint32_t vendor = 0;
    std::uint32_t device = 0;
    std::array<std::uint8_t, VK_UUID_SIZE> driver{}; // VkPhysicalDeviceIDProperties::driverUUID
    std::array<std::uint8_t, VK_UUID_SIZE> format{}; // VkPhysicalDeviceProperties::pipelineCacheUUID

    bool operator==(const PipelineCacheKey&) const = default;
};

// Returns the content of a file: the key, size and checksum of the driver's data, then the data.
std::vector<std::byte> wrap_pipelines(const PipelineCacheKey& key, std::span<const std::byte> data);
// Returns the driver's data in a file; empty, with the reason in `why`, if it is not a complete file with
// this key.
std::span<const std::byte> unwrap_pipelines(const PipelineCacheKey& key, std::span<const std::byte> file,
                                            std::string& why);

class PipelineCache {
public:
    // `options`: pipeline_cache, the file (empty: none), and on_log_message, which is called once if the file
    // cannot be used.
    PipelineCache(const Device& device, VkPhysicalDevice physical, const Options& options);

    VkPipelineCache get() const { return cache_.get(); }
    // Writes the file atomically if the driver has more data than the file. Errors are reported to
    // `on_log_message`; only time is lost.
    void save() noexcept;

private:
    std::vector<std::byte> read() const;
    std::vector<std::byte> driver_data() const;
    void write(std::span<const std::byte> bytes) const;

    const Device* device_;
    std::filesystem::path file_;
    std::function<void(const std::string&)> on_log_message_;
    PipelineCacheKey key_;
    std::size_t kept_bytes_ = 0; // of the driver's data in the file
    Handle<VkPipelineCache, &VolkDeviceTable::vkDestroyPipelineCache> cache_;
};

} // namespace vitrine::render
