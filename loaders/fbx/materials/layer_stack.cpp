#include "loaders/fbx/materials/layer_stack.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace vitrine::fbx {
namespace {

using images::LayerBlend;

// FbxLayeredTexture::EBlendMode, in its order. Not supported: dissolve, hue, saturation, color, luminosity.
constexpr std::array<std::optional<LayerBlend>, 31> blends{
    LayerBlend::over,
    LayerBlend::add,
    LayerBlend::multiply,
    LayerBlend::multiply_2x,
    LayerBlend::over,
    LayerBlend::replace,
    std::nullopt,
    LayerBlend::darken,
    LayerBlend::color_burn,
    LayerBlend::linear_burn,
    LayerBlend::darker_color,
    LayerBlend::lighten,
    LayerBlend::screen,
    LayerBlend::color_dodge,
    LayerBlend::add,
    LayerBlend::lighter_color,
    LayerBlend::soft_light,
    LayerBlend::hard_light,
    LayerBlend::vivid_light,
    LayerBlend::linear_light,
    LayerBlend::pin_light,
    LayerBlend::hard_mix,
    LayerBlend::difference,
    LayerBlend::exclusion,
    LayerBlend::subtract,
    LayerBlend::divide,
    std::nullopt,
    std::nullopt,
    std::nullopt,
    std::nullopt,
    LayerBlend::overlay,
};

// The names in version 6, in the same order.
constexpr std::array<std::string_view, blends.size()> blend_names{
    "Translucent", "Add",          "Modulate",   "Modulate2",   "Over",       "Normal",      "Dissolve",
    "Darken",      "ColorBurn",    "LinearBurn", "DarkerColor", "Lighten",    "Screen",      "ColorDodge",
    "LinearDodge", "LighterColor", "SoftLight",  "HardLight",   "VividLight", "LinearLight", "PinLight",
    "HardMix",     "Difference",   "Exclusion",  "Subtract",    "Divide",     "Hue",         "Saturation",
    "Color",       "Luminosity",   "Overlay",
};

// Maximum size of an image with repetitions.
constexpr double max_layered_side = 4096.0;

} // namespace

LayerSettings::LayerSettings(const Object& layered)
{
    if (auto modes = layered.element["BlendModes"].array<std::int32_t>()) modes_ = std::move(*modes);
    if (auto opacities = layered.element["Alphas"].array<double>()) opacities_ = std::move(*opacities);
}

LayerSetting legacy_setting(Element layer)
{
    LayerSetting out;
    if (const std::string_view mode = layer.text("BlendMode"); !mode.empty()) {
        const auto* const found = std::ranges::find(blend_names, mode == "Substract" ? "Subtract" : mode);
        out.blend = found == blend_names.end()
                        ? std::nullopt
                        : blends[static_cast<std::size_t>(found - blend_names.begin())];
    }
    const double opacity = layer.real("TextureAlpha", 1.0);
    if (std::isfinite(opacity)) out.opacity = static_cast<float>(std::clamp(opacity, 0.0, 1.0));
    return out;
}

LayerSetting LayerSettings::at(std::size_t layer) const
{
    LayerSetting out;
    if (layer < modes_.size()) {
        const auto mode = static_cast<std::uint32_t>(modes_[layer]);
        out.blend = mode < blends.size() ? blends[mode] : std::nullopt;
    }
    if (layer < opacities_.size() && std::isfinite(opacities_[layer]))
        out.opacity = static_cast<float>(std::clamp(opacities_[layer], 0.0, 1.0));
    return out;
}

std::optional<images::LayerPlacement> LayerStack::placement_in(const scene::Texture& frame,
                                                               const StackEntry& entry) const
{
    const auto back = images::inverse(images::placement_of(frame));
    if (!back) return std::nullopt;
    const images::LayerPlacement placement = images::placement_of(entry.texture) * *back;
    return images::repeats_alike(placement) ? std::optional(placement) : std::nullopt;
}

bool LayerStack::fits(const scene::Texture& frame) const
{
    return std::ranges::all_of(
        layers_, [&](const StackEntry& entry) { return placement_in(frame, entry).has_value(); });
}

// A layer that repeats more often than those below is drawn into their image; one that repeats less often
// takes them into its own. Limited to more layers than real files use.
std::string_view LayerStack::add(const scene::Texture& texture, const LayerSetting& setting)
{
    constexpr std::size_t max_reframed_layers = 64;
    if (!setting.blend && !layers_.empty()) return "its blend mode is not supported";
    if (layers_.empty()) frame_ = texture;
    layers_.push_back({texture, setting});
    if (layers_.size() == 1 || placement_in(frame_, layers_.back())) return {};
    for (const scene::Texture& frame : {texture, scene::Texture{}}) {
        if (layers_.size() > max_reframed_layers || !fits(frame)) continue;
        frame_ = frame;
        return {};
    }
    layers_.pop_back();
    return "its repetition does not match the other layers";
}

// Returns the resolution of the finest layer, within the limits of one image.
glm::uvec2 LayerStack::extent() const
{
    glm::dvec2 size(1.0), natural(1.0);
    for (const StackEntry& entry : layers_) {
        const scene::Image& image = scene_.images[entry.texture.image];
        const glm::dmat2 linear = placement_in(frame_, entry)->linear;
        const glm::dvec2 pixels(image.width, image.height);
        natural = glm::max(natural, pixels);
        for (glm::length_t axis = 0; axis < 2; ++axis)
            size[axis] = std::max(size[axis], glm::length(linear[axis] * pixels));
    }
    size = glm::min(size, glm::max(natural, glm::dvec2(max_layered_side)));
    const double pixels = size.x * size.y, max_pixels = static_cast<double>(limits_.image_pixels);
    if (pixels > max_pixels) size *= std::sqrt(max_pixels / pixels);
    return glm::uvec2(glm::max(size + 1e-6, glm::dvec2(1.0)));
}

std::uint64_t LayerStack::work() const
{
    const glm::uvec2 size = extent();
    return std::uint64_t{size.x} * size.y * layers_.size();
}

scene::Image LayerStack::flatten() const
{
    std::vector<images::Layer> layers;
    for (const StackEntry& entry : layers_)
        layers.push_back({&scene_.images[entry.texture.image], entry.setting.blend.value_or(LayerBlend::over),
                          entry.setting.opacity, *placement_in(frame_, entry), entry.texture.wrap_s,
                          entry.texture.wrap_t});
    const glm::uvec2 size = extent();
    return images::flatten(layers, size.x, size.y);
}

} // namespace vitrine::fbx
