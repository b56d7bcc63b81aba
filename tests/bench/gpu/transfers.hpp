#pragma once
// Copies on one device of its own.

#include <cstdint>
#include <functional>
#include <vector>

#include "vk_renderer/gpu/buffer.hpp"
#include "vk_renderer/gpu/commands.hpp"
#include "vk_renderer/gpu/timeline.hpp"
#include "vk_renderer/textures/uploader.hpp"

namespace vitrine::bench {

struct Rate {
    double bytes_per_second = 0.0;
    std::uint64_t bytes = 0; // of one copy
    int runs = 0;
};

class Transfers {
public:
    // `bytes`: of each of two buffers on the device; at most 256 MiB of them are copied to and from the host.
    Transfers(const render::Options& options, std::uint64_t bytes);

    // Bytes read plus bytes written.
    Rate copy_on_device(double seconds);
    // The others count each byte once.
    Rate fill_device(double seconds);
    Rate copy_to_device(double seconds);
    Rate copy_to_host(double seconds);
    Rate write_upload(double seconds); // memory that the host writes for each batch
    Rate read_readback(double seconds);
    Rate upload(double seconds); // Uploader::buffer() with its staging

private:
    // `record` is called several times, with a barrier after each.
    Rate on_device(double seconds, std::uint64_t bytes, const std::function<void(VkCommandBuffer)>& record);

    render::VulkanInstance instance_;
    render::Device device_;
    render::Timeline timeline_;
    render::Uploader uploader_;
    render::Commands commands_;
    std::uint64_t bytes_, host_bytes_;
    render::Buffer from_, to_, staging_, readback_;
    std::vector<std::byte> host_;
};

} // namespace vitrine::bench
