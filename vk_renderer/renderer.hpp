#pragma once
// The renderer's public interface: Scene + View + times -> Frames. Contains no Vulkan types.
//
// Thread: a Renderer owns one device; it is used by one thread at a time. Every call but submit() waits for
// its result. Frames may be used on other threads, and may outlive the Renderer.
// Errors (errors.hpp): RenderError for a request that cannot be rendered, for example without pixels or of an
// empty scene; its subclass Undrawable if no device and no view can render the model in this pose; its
// subclass TooLargeForDevice if the device has too little memory or too small bindings (another device may
// succeed). Requests that ran out of memory are retried with less and less else on the device, finally with
// nothing else. DeviceLost, which is not a RenderError, when the device is lost: destroy the Renderer, create
// a new one, retry once.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loaders/scene/hit.hpp"
#include "loaders/scene/scene.hpp"
#include "loaders/scene/skinning/skinning.hpp"
#include "vk_renderer/base/frame.hpp"
#include "vk_renderer/base/options.hpp"
#include "vk_renderer/base/pass_times.hpp"
#include "vk_renderer/base/view.hpp"
#include "vk_renderer/render_device.hpp"

namespace vitrine::render {

std::vector<DeviceInfo> list_devices();

// Loads the drivers, which stay loaded while the result exists. Loading takes tenths of a second; without it,
// each of the functions here and each Renderer loads them and the last one that ends unloads them.
std::shared_ptr<void> load_drivers();

// Returns the devices that `wanted` selects, each card once, as a selector of each for Options::device.
// `wanted` is "auto" (all GPUs of the best kind, or else software), "gpu" (likewise without software),
// "software", an index into list_devices(), a PCI address, a UUID, part of a name, or several of these
// separated by commas. The selectors are PCI addresses or UUIDs where the drivers report them: they still
// name the same card when another one is gone, as an index does not. Throws std::runtime_error that lists the
// available devices.
std::vector<std::string> choose_devices(const std::string& wanted);

// Whether all devices that `wanted` selects render on the CPU; true if there are none.
bool selects_software(const std::string& wanted);

// Whether the kernel lists a graphics card, which a Vulkan driver may or may not be able to use.
bool has_graphics_card();
// Returns the device files below `dev` of the graphics cards that are not used, because `device`, which the
// choice `wanted` has given, renders on the CPU; empty also if the CPU was wanted.
std::vector<std::filesystem::path> unused_cards(const std::string& wanted, const DeviceInfo& device,
                                                const std::filesystem::path& dev = "/dev");
// Returns the sentence about unused_cards(); empty: there is nothing to say.
std::string unused_card_notice(const std::string& wanted, const DeviceInfo& device,
                               const std::filesystem::path& dev = "/dev");

class ImportedMemory;
struct PreparedScene;
// Computes what an upload needs of a scene, for example while the device starts. Throws RenderError as
// Renderer::render().
std::shared_ptr<PreparedScene> prepare(const scene::Scene& scene);

class Renderer final : public RenderDevice {
public:
    explicit Renderer(const Options& options);
    ~Renderer() override;
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    const DeviceInfo& info() const override;
    MemoryUse memory() const override; // queries the device
    std::chrono::nanoseconds work_time() const override;
    // The part of work_time() that the device spent in each pass. Zeros without Options::measures_passes, and
    // on a device without timestamps.
    PassTimes pass_times() const;
    // The time that calls of this Renderer have spent in each step of a batch, for measurements.
    HostTimes host_times() const;
    // Uploads a scene; optional, because rendering does it, too. Consumes `prepared`, which prepare()
    // returned for this scene.
    void upload(const SharedScene& scene, const std::shared_ptr<PreparedScene>& prepared);
    // Estimates the time of one image of a batch from earlier images of this scene; empty if it was not
    // rendered yet or is not on the device any more.
    std::optional<std::chrono::nanoseconds> expected_time(const SharedScene& scene,
                                                          const View& view) const override;

    using RenderDevice::render;
    // Renders one frame per clip time, all in one submission unless it would be too large or too long
    // (frame/batch_limits.cpp). The scene's buffers stay on the device in a least recently used cache; live
    // views reuse the memory of `frames`, where it is not shared (base/pixels.hpp). Precondition: `scene`
    // passed scene::validate().
    void render(const SharedScene& scene, const View& view, std::span<const ClipTime> clip_times,
                std::vector<Frame>& frames) override;

    // Renders one frame per request with any scenes, cameras and clip times; each is framed over the clip of
    // its own clip time. Nearby requests of one scene at one clip time share posing and skinning.
    void render(std::span<const FrameRequest> frame_requests, std::vector<Frame>& frames) override;
    // As render(), but returns when the device has the work. The host records a batch while the device works
    // on earlier ones, up to three in all; another one waits for the first.
    std::shared_ptr<FrameTicket> submit(std::span<const FrameRequest> frame_requests) override;

    // Returns memory of the caller as memory to which the device can write frames; null: the device cannot.
    // The address and the size are multiples of the page size. `owner` keeps the memory as long as it is
    // used.
    std::shared_ptr<ImportedMemory> import_memory(std::span<std::byte> memory, std::shared_ptr<void> owner);
    // The frames of the next call of render() or submit() are written there, and their pixels are ranges of
    // it, as far as they fit in one batch, no names of joints are drawn into them and neither work in flight
    // nor earlier frames use it.
    void write_next_to(std::shared_ptr<ImportedMemory> memory);
    // Waits until no work in flight writes to the memory, also that of requests that have failed.
    void wait_for(const ImportedMemory& memory);

    // Returns exact bounds per clip time, reduced on the device from the skinned vertices.
    std::vector<scene::Aabb> bounds(const SharedScene& scene, std::span<const ClipTime> clip_times) override;

    // Returns the skinned vertices, one SkinnedMesh per instance of find_instances(), at one clip time; with
    // tangents if a normal map needs them. Tests compare them with scene::Skinner.
    std::vector<scene::SkinnedMesh> skin(const SharedScene& scene, ClipTime clip_time);

    // Returns what the image of `view` shows at pixel x, y (from the top left); empty: background. Throws
    // RenderError if the pixel is outside the image.
    std::optional<scene::Hit> pick(const SharedScene& scene, const View& view, ClipTime clip_time,
                                   std::uint32_t x, std::uint32_t y) override;

    // Stores the compiled pipelines if there are new ones, and frees buffers for frames.
    void idle() override;

    // Renders a typical scene once, so that the first image does not wait for shader compilation.
    void warm_up();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace vitrine::render
