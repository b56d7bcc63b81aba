#pragma once
// Compiled pipelines on disk, so that a start does not compile them again. A file is read only by the device
// and driver that wrote it; one that is damaged or another's is left alone and written anew.

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "vk_renderer/gpu/handle.hpp"

namespace vitrine::render {

// Whose pipelines a file holds.
struct PipelineCacheKey {
    std::uint32_t vendor = 0;
    std::uint32_t device = 0;
    std::array<std::uint8_t, VK_UUID_SIZE> driver{}; // VkPhysicalDeviceIDProperties::driverUUID
    std::array<std::uint8_t, VK_UUID_SIZE> format{}; // VkPhysicalDeviceProperties::pipelineCacheUUID

    bool operator==(const PipelineCacheKey&) const = default;
};

// A file: the key, size and checksum of the driver's data, then these.
std::vector<std::byte> wrap_pipelines(const PipelineCacheKey& key, std::span<const std::byte> data);
// The driver's data in a file; empty when it is no whole file of this key, and `why` says so.
std::span<const std::byte> unwrap_pipelines(const PipelineCacheKey& key, std::span<const std::byte> file,
                                            std::string& why);

class PipelineCache {
public:
    // `options`: pipeline_cache, the file (empty: none), and notice, told once when the file is of no use.
    PipelineCache(const Device& device, VkPhysicalDevice physical, const Options& options);

    VkPipelineCache get() const { return cache_.get(); }
    // Writes the file, whole or not at all, where the driver knows more than it holds. What goes wrong is
    // told to `notice`: nothing but time is lost.
    void save() noexcept;

private:
    std::vector<std::byte> read() const;
    std::vector<std::byte> driver_data() const;
    void write(std::span<const std::byte> bytes) const;

    const Device* device_;
    std::filesystem::path file_;
    std::function<void(const std::string&)> notice_;
    PipelineCacheKey key_;
    std::size_t kept_bytes_ = 0; // of the driver's data in the file
    Handle<VkPipelineCache, &VolkDeviceTable::vkDestroyPipelineCache> cache_;
};

} // namespace vitrine::render
