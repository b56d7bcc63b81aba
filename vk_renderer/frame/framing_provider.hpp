#pragma once
// Which box a picture is framed by, where the view does not say it: measured on the device and kept with the
// scene there. All boxes are measured from the origin of the packed scene.

#include <optional>
#include <span>

#include "loaders/scene/preview/outliers.hpp"
#include "vk_renderer/frame/batch.hpp"
#include "vk_renderer/gpu/device.hpp"

namespace vitrine::render {

class FramingProvider {
public:
    // Both outlive it.
    FramingProvider(BatchRunner& batches, const Device& device) : batches_(batches), device_(device) {}

    // Of pictures at these moments that are to be framed alike: the exact box over each whole clip, without
    // outliers (scene/outliers.hpp), and, where the view shows the skeleton, one with its joints.
    // RenderError: there is no such clip.
    Framing of(const Drawable& drawable, const View& view, std::span<const Moment> moments);

private:
    scene::Aabb over_clip(const Drawable& drawable, std::uint32_t clip);
    static const std::optional<scene::Outliers>& outliers_of(const Drawable& drawable);

    BatchRunner& batches_;
    const Device& device_;
};

} // namespace vitrine::render
