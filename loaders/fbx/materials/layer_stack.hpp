#pragma once
// The layers of a layered texture, and the UV transform of the image composited from them.

#include <optional>
#include <string_view>
#include <vector>

#include "loaders/fbx/document/document.hpp"
#include "loaders/images/layer_compositing.hpp"

namespace vitrine::fbx {

struct LayerSetting {
    std::optional<images::LayerBlend> blend = images::LayerBlend::over; // nullopt: unknown blend mode
    float opacity = 1.0f;

    auto operator<=>(const LayerSetting&) const = default;
};

// A texture object as one layer of a surface.
struct StackedLayer {
    std::uint32_t texture = no_object;
    LayerSetting setting{};

    auto operator<=>(const StackedLayer&) const = default;
};

// Reads BlendMode and TextureAlpha of a layer of version 6.
LayerSetting legacy_setting(Element layer);

// Reads BlendModes and Alphas of a LayeredTexture, by layer.
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
    // Both arguments must outlive the stack.
    LayerStack(const scene::Scene& scene, const Limits& limits) : scene_(scene), limits_(limits) {}

    // Adds the next layer from below; its image must have pixels. Returns the reason when the layer cannot be
    // added, empty on success.
    std::string_view add(const scene::Texture& texture, const LayerSetting& setting);

    std::size_t size() const { return layers_.size(); }
    // Returns the lowest layer as a texture; without an image when there are no layers.
    scene::Texture lowest() const { return layers_.empty() ? scene::Texture{} : layers_.front().texture; }
    // Returns the UV transform of the composited image; its image is not set.
    const scene::Texture& frame() const { return frame_; }
    // Returns the number of pixels to blend.
    std::uint64_t work() const;
    // Composites the layers. Precondition: size() > 1.
    scene::Image flatten() const;

private:
    struct StackEntry {
        scene::Texture texture;
        LayerSetting setting;
    };
    std::optional<images::LayerPlacement> placement_in(const scene::Texture& frame,
                                                       const StackEntry& entry) const;
    bool fits(const scene::Texture& frame) const;
    glm::uvec2 extent() const;

    const scene::Scene& scene_;
    const Limits& limits_;
    std::vector<StackEntry> layers_;
    scene::Texture frame_; // the UV space in which all layers repeat: a layer's or the untransformed one
};

} // namespace vitrine::fbx
