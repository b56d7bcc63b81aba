#pragma once
// Renders images in batches. A batch is one submission: every clip time in it is skinned once, and its images
// share a few render targets in turn. While the device works on one batch, the host records the next one.
// Scratch memory grows to the largest size needed and is reused. Used by one thread, that of the Renderer.
// Calls: begin_request(), add() for every image, then flush(), or submit_pending() and later collect(); after
// an exception discard_request(). render_batch() lists the steps of a batch; deliver() writes its frames when
// the device has finished. Sources: batch_renderer.cpp the steps and the passes, batch_slots.cpp requests in
// flight and their frames, batch_resolve.cpp from samples to pixels, batch_limits.cpp what fits into one
// batch, batch_buffers.cpp what the host writes, batch_order.cpp the order of blended triangles,
// batch_measure.cpp skinning without images.

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "loaders/scene/skinning/skinning.hpp"
#include "vk_renderer/frame/batch_slot.hpp"
#include "vk_renderer/frame/imported_memory.hpp"
#include "vk_renderer/labels/joint_labels.hpp"
#include "vk_renderer/passes/bounds_pass.hpp"
#include "vk_renderer/passes/compute_resolve.hpp"
#include "vk_renderer/passes/raster.hpp"
#include "vk_renderer/passes/resolve.hpp"
#include "vk_renderer/passes/shadow.hpp"
#include "vk_renderer/passes/skinning.hpp"
#include "vk_renderer/scene/deformer.hpp"

namespace vitrine::render {

class BatchRenderer {
public:
    // All must outlive the BatchRenderer.
    BatchRenderer(Device& device, Timeline& timeline, ReadbackPool& readback_pool, const Options& options);

    // The images that are added from now on belong to one request. `owner`: of their views and frames, which
    // otherwise must stay valid until flush() or discard_request().
    void begin_request(std::shared_ptr<AsyncRequest> owner = {});
    // Adds an image to the current batch; a full batch is submitted first.
    void add(const BatchImage& image);
    // Submits the current batch. Returns the timeline value at which the device has finished the request.
    std::uint64_t submit_pending();
    // Waits for this timeline value; the frames of all batches up to it are written when it returns.
    void collect(std::uint64_t value);
    void flush() { collect(submit_pending()); }
    // Images that are submitted from now on are written to this memory, one batch at a time; null: to that of
    // the ReadbackPool, as are those for which it has no room.
    void set_pixel_memory(std::shared_ptr<ImportedMemory> memory) { pixel_memory_ = std::move(memory); }
    // Called after a failure: the frames of the current request are not written any more.
    void discard_request();

    // Limits the number of images per batch from now on.
    static constexpr std::size_t max_images = 256;
    void set_max_images(std::size_t count) { max_images_ = count; }

    // The number of poses of this scene that one batch can hold.
    std::uint32_t max_poses(const GpuScene& scene) const;

    // Frees all scratch memory. Waits for the device and delivers earlier requests; the current one is
    // discarded.
    void release();

    // Results of both are relative to the origin of the packed scene. The host poses one part of the
    // measurements while the device works on the part before it.
    void measure(std::span<Measurement> measurements);
    std::vector<scene::SkinnedMesh> skin(const Drawable& drawable, ClipTime clip_time);
    // Creates the pipelines that most scenes need, so that the first image does not wait for them.
    void prepare();
    // Total time in which the device executed batches, of those that have been delivered.
    std::chrono::nanoseconds work_time() const { return work_time_; }
    // The same of each pass, if Options::measures_passes is set.
    const PassTimes& pass_times() const { return pass_times_; }
    // Total time of the calling thread in each step.
    const HostTimes& host_times() const { return host_times_; }

private:
    // Skinned vertices and boxes of one scene of the batch on the device. The other members say what the last
    // submission that wrote them has left there: the next batch need not skin the same poses again, as of a
    // model that is only turned.
    struct Skinned {
        Buffer vertices, tangents, boxes;
        std::weak_ptr<const GpuScene> scene{}; // empty: unknown
        std::vector<ClipTime> clip_times{};
        std::vector<InstancePlacement> placements{};
        bool has_tangents = false, has_boxes = false;
    };

    // Three batches: the device works on one, the next one waits for it, a third is recorded or read.
    static constexpr std::size_t slot_count = 3;

    BatchSlot& next_slot();
    // Precondition: all earlier batches have been delivered.
    void deliver(BatchSlot& slot);
    // Writes the frame of an image from the results at `result`; `shares`: its pixels stay there.
    void write_frame(BatchSlot& slot, std::size_t image, const std::byte* result, bool shares);
    // Returns the time in which the device worked on the slot's commands and on nothing before them.
    std::chrono::nanoseconds measure_work(const BatchSlot& slot, const std::byte* result);
    static void update_cost(const BatchSlot& slot, double seconds);
    bool fits(const BatchSlot& slot, const BatchImage& image) const;
    // Whether a card should begin with these images, because it has nothing else to do meanwhile.
    bool starts_early(const BatchSlot& slot) const;
    void add_image(BatchSlot& slot, const BatchImage& image);
    // Returns the first pose of the image's instances, if the batch has them already.
    static std::optional<std::uint32_t> find_poses(const BatchSlot& slot, const PosedScene& posed,
                                                   const BatchImage& image);
    static std::uint32_t add_poses(PosedScene& posed, const BatchImage& image);
    // The weight colors show one joint at a time: pending images with another joint are rendered first.
    void ensure_weight_colors(const BatchImage& image);
    void render_batch();
    // Returns a slot that only skins: one scene, no images.
    BatchSlot& open_skinning_slot(const Drawable& drawable, std::span<const ClipTime> clip_times,
                                  bool tangents);

    PosedScene& find_or_add_posed_scene(BatchSlot& slot, const Drawable& drawable) const;
    void upload_poses(BatchSlot& slot);
    // Assigns the readback ranges of the boxes of each scene, followed by `more_bytes`; returns the offset of
    // the latter.
    VkDeviceSize lay_out_readback(BatchSlot& slot, VkDeviceSize more_bytes);
    void write_frame_data(BatchSlot& slot);
    static void add_image_lines(BatchSlot& slot);
    void sort_blended(BatchSlot& slot);
    void sort_image(BatchSlot& slot, std::size_t image);
    std::span<const glm::vec3> deformed_centroids(const PosedScene& posed, std::uint32_t pose,
                                                  const BlendedRun& run);
    void record_skinning(BatchSlot& slot, VkCommandBuffer commands);
    static bool is_current(const Skinned& skinned, const PosedScene& posed);
    void forget_skinned();
    void record_images(BatchSlot& slot, VkCommandBuffer commands);
    void record_shadows(BatchSlot& slot, VkCommandBuffer commands, std::size_t first, std::size_t end);
    void record_raster(BatchSlot& slot, VkCommandBuffer commands, std::size_t image, std::size_t target);
    void record_resolve(BatchSlot& slot, VkCommandBuffer commands, std::size_t first, std::size_t end);
    void record_compute_resolve(BatchSlot& slot, VkCommandBuffer commands, std::size_t first,
                                std::size_t end);
    // Whether the compute shader writes to device memory, which is copied to the host once per batch.
    bool copies_resolved() const;
    void record_pixel_copy(BatchSlot& slot, VkCommandBuffer commands);
    static ResolvePass::ResolveArea resolved(const BatchSlot& slot, std::size_t image);
    void submit(BatchSlot& slot, VkCommandBuffer commands);
    // Adds the time since `begin` to `step`; returns the present.
    std::chrono::steady_clock::time_point count(HostStep step, std::chrono::steady_clock::time_point begin);

    void ensure(Buffer& buffer, VkDeviceSize size, BufferDesc desc, std::string_view name);
    std::uint32_t max_measured_poses(const GpuScene& scene) const;
    std::uint32_t target_count(const BatchSlot& slot) const;
    VkDeviceSize params_stride() const;

    Device* device_;
    Timeline* timeline_;
    ReadbackPool* readback_pool_;
    std::shared_ptr<ImportedMemory> pixel_memory_;
    // Declared first: these members create pipelines on their own threads.
    std::unique_ptr<ResolvePass> resolve_; // one of both, by DeviceTraits::resolve_path
    std::unique_ptr<ComputeResolvePass> compute_resolve_;
    ShadowPass shadow_;
    SkinningPass skinning_;
    BoundsPass bounds_;
    TriangleSorter sorter_;
    Deformer deformer_;
    BlendedRun deformed_;                     // the mesh that the deformer holds, of the image being ordered
    std::vector<glm::vec3> deformed_centers_; // centers of a run's triangles when the pose deforms them
    JointNames names_;
    RenderTargetPool target_pool_;
    RasterPass raster_;
    std::vector<Skinned> skinned_; // by scene of the batch
    std::array<BatchSlot, slot_count> slots_;
    Buffer resolved_pixels_; // see copies_resolved()
    std::uint64_t request_ = 0;
    std::shared_ptr<AsyncRequest> owner_; // of the current request
    BatchSlot* open_slot_ = nullptr;
    std::size_t max_images_ = max_images;
    // End of the delivered batches: by the device's clock, and when the host has noticed it.
    double device_end_ns_ = 0.0;
    std::chrono::steady_clock::time_point host_end_{};
    std::chrono::nanoseconds work_time_{};
    PassTimes pass_times_{};
    HostTimes host_times_{};
};

} // namespace vitrine::render
