#pragma once
// Pictures in batches. A batch is one submission: every moment in it is skinned once, its pictures share a
// few layers by turns. While the device works on one batch the host records the next and copies the pixels of
// the one before. All scratch memory grows to what was needed once and is used again.

#include <array>
#include <span>

#include "loaders/scene/skinning/skinning.hpp"
#include "vk_renderer/frame/batch_slot.hpp"
#include "vk_renderer/labels/joint_labels.hpp"
#include "vk_renderer/passes/bounds_pass.hpp"
#include "vk_renderer/passes/raster.hpp"
#include "vk_renderer/passes/resolve.hpp"
#include "vk_renderer/passes/shadow.hpp"
#include "vk_renderer/passes/skinning.hpp"
#include "vk_renderer/scene/deformer.hpp"

namespace vitrine::render {

class BatchRunner {
public:
    BatchRunner(Device& device, Timeline& timeline, const Options& options);

    // Takes a picture into the batch that is gathered; a full batch is drawn first. View and frame stay where
    // they are until flush() or forget().
    void add(const BatchPicture& picture);
    // Draws what is gathered; every frame is there when it returns.
    void flush();
    // After a failure: no frame that was added is written any more.
    void forget();

    // Of a batch from now on.
    static constexpr std::size_t max_pictures = 256;
    void set_max_pictures(std::size_t count) { max_pictures_ = count; }

    // Gives all scratch memory back. Waits for the device; what was added is forgotten.
    void release();

    // Both from the origin of the scene as it was packed.
    void measure(const Drawable& drawable, std::span<const Moment> moments, std::span<scene::Aabb> boxes);
    std::vector<scene::SkinnedMesh> skin(const Drawable& drawable, Moment moment);
    // Makes what most scenes need, so that the first picture does not wait for it.
    void prepare();

private:
    // Skinned vertices and boxes of one scene of the batch that the device is working on.
    struct Skinned {
        Buffer vertices, tangents, boxes;
    };

    BatchSlot& next_slot();
    void collect(BatchSlot& slot);
    static void update_cost(const BatchSlot& slot, double seconds);
    bool fits(const BatchSlot& slot, const BatchPicture& picture) const;
    void add_picture(BatchSlot& slot, const BatchPicture& picture);
    // Of one joint at a time: what is gathered with another is drawn first.
    void ensure_weight_colors(const BatchPicture& picture);
    void draw_gathered();
    // A slot that only skins: one scene, no pictures.
    BatchSlot& slot_of(const Drawable& drawable, std::span<const Moment> moments, bool tangents);

    PosedScene& posed_scene_of(BatchSlot& slot, const Drawable& drawable) const;
    void pose(BatchSlot& slot);
    // Boxes by scene, then `more_bytes`; the offset of those.
    VkDeviceSize lay_out_readback(BatchSlot& slot, VkDeviceSize more_bytes);
    void write_frame_data(BatchSlot& slot);
    void write_order(BatchSlot& slot);
    void order_picture(BatchSlot& slot, std::size_t picture);
    std::span<const glm::vec3> deformed_centroids(const PosedScene& posed, std::uint32_t pose,
                                                  const BlendedRun& run);
    void record_skinning(BatchSlot& slot, VkCommandBuffer commands);
    void record_pictures(BatchSlot& slot, VkCommandBuffer commands);
    void record_shadows(BatchSlot& slot, VkCommandBuffer commands, std::size_t first, std::size_t end);
    void record_raster(BatchSlot& slot, VkCommandBuffer commands, std::size_t picture, std::size_t layer);
    void record_resolve(BatchSlot& slot, VkCommandBuffer commands, std::size_t first, std::size_t end);
    static ResolvePass::ResolveArea resolved(const BatchSlot& slot, std::size_t picture);
    void submit(BatchSlot& slot, VkCommandBuffer commands);

    void ensure(Buffer& buffer, VkDeviceSize size, BufferDesc use, std::string_view name);
    std::uint32_t max_poses(const GpuScene& scene) const;
    std::uint32_t max_measured_poses(const GpuScene& scene) const;
    std::uint32_t target_count(const BatchSlot& slot) const;
    VkDeviceSize params_stride() const;

    Device* device_;
    Timeline* timeline_;
    // First: they make pipelines on threads of their own.
    ResolvePass resolve_;
    ShadowPass shadow_;
    SkinningPass skinning_;
    BoundsPass bounds_;
    TriangleSorter order_;
    Deformer deformer_;
    BlendedRun deformed_;            // whose mesh the deformer holds, of the picture that is ordered
    std::vector<glm::vec3> middles_; // of a run's triangles where the pose deforms them
    JointNames names_;
    RenderTargetPool target_pool_;
    RasterPass raster_;
    std::vector<Skinned> skinned_; // by scene of the batch
    std::array<BatchSlot, 3> slots_;
    std::uint32_t next_slot_ = 0;
    BatchSlot* open_slot_ = nullptr;
    std::size_t max_pictures_ = max_pictures;
    std::chrono::steady_clock::time_point idle_since_{}; // the device, but for what was submitted since
};

} // namespace vitrine::render
