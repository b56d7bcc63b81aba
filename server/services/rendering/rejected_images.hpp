#pragma once
// Images of models that are too large for the device. The device is not asked again for an image of the same
// model with as many pixels or more: each upload takes seconds. Any thread.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "server/services/rendering/image_service.hpp"
#include "server/services/rendering/remembered_errors.hpp"
#include "vk_renderer/base/scene_instances.hpp"

namespace vitrine::server {

class RejectedImages {
public:
    using Clock = RememberedErrors::Clock;

    // `digest`: that of the image's key. `params`: as for image_key().
    std::optional<ServiceError> find(const AssetRecord& asset, const auto& params, const std::string& digest,
                                     Clock::time_point now) const
    {
        const auto pixels = frame_pixels(params);
        if (auto error = errors_.find(model_key(asset, params.variant), pixels, now)) return error;
        return errors_.find(digest, pixels, now);
    }

    // Errors other than too_large_for_device are left out: they may depend on more than the model.
    void add(const AssetRecord& asset, const auto& params, const std::string& digest,
             const ServiceError& error, Clock::time_point now)
    {
        if (error.code != "too_large_for_device") return;
        errors_.add(has_overlays(params) ? digest : model_key(asset, params.variant), error,
                    frame_pixels(params), now);
    }

private:
    // What a device uploads for images of the asset: another variant is another model.
    static std::string model_key(const AssetRecord& asset, std::uint32_t variant)
    {
        return fmt::format("{}/{}", asset.content_hash, variant);
    }

    static std::uint64_t frame_pixels(const RenderParams& params)
    {
        return std::uint64_t{params.view.width} * params.view.height;
    }
    static std::uint64_t frame_pixels(const auto& params) { return std::uint64_t{params.size} * params.size; }

    // Overlays and several instances bind larger arrays than the model alone, so that it may be too large
    // with them only.
    static bool has_overlays(const RenderParams& params)
    {
        return params.view.overlays != render::Overlays{} || render::has_instances(params.view);
    }
    static bool has_overlays(const SequenceParams& params)
    {
        return render::has_instances({.crowd = params.crowd, .ghosts = params.ghosts});
    }
    static bool has_overlays(const auto&) { return false; }

    RememberedErrors errors_{4'096, std::chrono::minutes(10)}; // by model_key() or, with overlays, by digest
};

} // namespace vitrine::server
