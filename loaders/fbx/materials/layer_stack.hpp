#pragma once
// The layers of a layered texture, and where the picture lies that is made of them.

#include <optional>
#include <string_view>
#include <vector>

#include "loaders/fbx/document/document.hpp"
#include "loaders/images/layer_compositing.hpp"

namespace vitrine::fbx {

struct LayerSetting {
    std::optional<images::LayerBlend> blend = images::LayerBlend::over; // nothing: one that is not known
    float opacity = 1.0f;

    auto operator<=>(const LayerSetting&) const = default;
};

// A texture object as one of several on a surface.
struct StackedLayer {
    std::uint32_t texture = no_object;
    LayerSetting setting{};

    auto operator<=>(const StackedLayer&) const = default;
};

// BlendMode and TextureAlpha of a layer of version 6.
LayerSetting legacy_setting(Element layer);

// BlendModes and Alphas of a LayeredTexture, by layer.
class LayerSettings {
public:
    explicit LayerSettings(const Object& layered);
    LayerSetting at(std::size_t layer) const;

private:
    std::vector<std::int32_t> modes_;
    std::vector<double> opacities_;
};

class LayerStack {
public:
    // Both outlive it.
    LayerStack(const scene::Scene& scene, const Limits& limits) : scene_(scene), limits_(limits) {}

    // The next layer upwards, its image with pixels. Why it cannot be; empty: it is.
    std::string_view add(const scene::Texture& texture, const LayerSetting& setting);

    std::size_t size() const { return layers_.size(); }
    // The lowest layer by itself; no image where there is none.
    scene::Texture lowest() const { return layers_.empty() ? scene::Texture{} : layers_.front().texture; }
    // How the picture of all lies on the surface; its image is still to be made.
    const scene::Texture& frame() const { return frame_; }
    // Pixels to mix.
    std::uint64_t work() const;
    // Precondition: size() > 1.
    scene::Image flatten() const;

private:
    struct StackEntry {
        scene::Texture texture;
        LayerSetting setting;
    };
    std::optional<images::Placement> placement_in(const scene::Texture& frame, const StackEntry& entry) const;
    bool fits(const scene::Texture& frame) const;
    glm::uvec2 extent() const;

    const scene::Scene& scene_;
    const Limits& limits_;
    std::vector<StackEntry> layers_;
    scene::Texture frame_; // the layer, or plain UVs, in which all others repeat
};

} // namespace vitrine::fbx
