#pragma once
// Provides the framing box of images whose view does not set one: measured on the device and cached with the
// scene there. All boxes are relative to the origin of the packed scene.

#include <optional>
#include <span>
#include <vector>

#include "loaders/scene/preview/outliers.hpp"
#include "vk_renderer/frame/batch_renderer.hpp"
#include "vk_renderer/gpu/device.hpp"

namespace vitrine::render {

// A clip or layers whose box is needed; the time is not used.
struct FramedMotion {
    Drawable drawable;
    ClipTime motion{};
};

class FramingProvider {
public:
    // Both must outlive the provider.
    FramingProvider(BatchRenderer& batches, const Device& device) : batches_(batches), device_(device) {}

    // Returns the common framing of images at these clip times: the exact box over each whole motion without
    // outliers (loaders/scene/preview/outliers.hpp), and, if the view shows the skeleton, a box that includes
    // its joints; over all places of a crowd. Throws RenderError if a clip does not exist.
    Framing compute_framing(const Drawable& drawable, const View& view, std::span<const ClipTime> clip_times);

    // Returns the exact box over the whole motion without outliers. Throws as compute_framing().
    scene::Aabb over_motion(const Drawable& drawable, const ClipTime& motion);

    // Measures the boxes of these motions that are not known yet, together. Throws as compute_framing().
    void measure(std::span<const FramedMotion> motions);

private:
    std::vector<ClipTime> times_of(const Drawable& drawable, const ClipTime& motion) const;
    static const std::optional<scene::Outliers>& find_outliers(const Drawable& drawable);

    BatchRenderer& batches_;
    const Device& device_;
};

} // namespace vitrine::render
