#pragma once
// The public door of the renderer: Scene + View + times -> Frames. No Vulkan type in it.
//
// Thread: a Renderer owns one device; one thread at a time uses it, and every call blocks.
// Errors: RenderError for a request that cannot be drawn (too large, nothing in it): where memory is out, the
// request was tried again with less and less else on the device, at last with nothing; DeviceLost when the
// device is gone (destroy the Renderer, make a new one, repeat once).

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loaders/scene/hit.hpp"
#include "loaders/scene/scene.hpp"
#include "loaders/scene/skinning/skinning.hpp"
#include "vk_renderer/base/frame.hpp"
#include "vk_renderer/base/types.hpp"
#include "vk_renderer/base/view.hpp"

namespace vitrine::render {

std::vector<DeviceInfo> list_devices();

// The devices that Options::device names, as indices of list_devices(), each card once: "auto" names every
// GPU of the best kind, or software. Throws std::runtime_error that says what there is.
std::vector<std::size_t> choose_devices(const std::string& wanted);

class Renderer {
public:
    explicit Renderer(const Options& options);
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    const DeviceInfo& device() const;
    MemoryUse memory() const; // asks the device
    // For one picture of many, by those of this scene before it; empty: it was not drawn, or is not on the
    // device any more.
    std::optional<std::chrono::nanoseconds> expected_time(const SharedScene& scene, const View& view) const;
    // To the device so far: of pictures, and of what came before them (a scene's upload, the bounds of a
    // clip).
    std::uint64_t submissions() const;

    // One frame per moment, all in one submission unless it would be large or long (batch_gather.cpp). The
    // scene's buffers stay on the device, least recently used first out. Precondition: `scene` passed
    // scene::validate().
    std::vector<Frame> render(const SharedScene& scene, const View& view, std::span<const Moment> moments);

    // One frame per shot, of any scenes, cameras and moments; each is framed over the clip of its own moment.
    // Shots of one scene at one moment are posed and skinned once where they stand close together.
    void render(std::span<const FrameRequest> frame_requests, std::vector<Frame>& frames);

    // The same into `frames`, whose memory is used again: what a live view calls.
    void render(const SharedScene& scene, const View& view, std::span<const Moment> moments,
                std::vector<Frame>& frames);

    // Exact bounds per moment, reduced on the device from the skinned vertices.
    std::vector<scene::Aabb> bounds(const SharedScene& scene, std::span<const Moment> moments);

    // The skinned vertices themselves, one SkinnedMesh per instance of find_instances(), for one moment;
    // tangents where a normal map needs them.
    std::vector<scene::SkinnedMesh> skin(const SharedScene& scene, Moment moment);

    // What the picture of `view` shows at its pixel x, y (from the top left); empty: nothing of the model.
    // Throws RenderError when the pixel is not in the picture.
    std::optional<scene::Hit> pick(const SharedScene& scene, const View& view, Moment moment, std::uint32_t x,
                                   std::uint32_t y);

    // Draws once what most scenes need, so that the first picture does not wait for shader compilation.
    void warm_up();

    // Messages of the validation layers so far; empty in a healthy run.
    const std::vector<std::string>& validation_messages() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace vitrine::render
