#pragma once
// Converts each <material> and <effect> to a material of the Scene once; <bind_material> to a
// MaterialBinding.

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "loaders/dae/geometry/material_binding.hpp"
#include "loaders/dae/materials/effect.hpp"
#include "loaders/images/derived_images.hpp"
#include "loaders/images/texture_library.hpp"

namespace vitrine::dae {

class Materials {
public:
    // All arguments must outlive it.
    Materials(Source& source, io::Budget& budget, Documents& documents, io::WarningLog& warnings,
              scene::Scene& scene);

    // Sets the programs that wrote the file.
    void set_programs(std::string_view programs) { transparency_mode_ = transparency_mode(programs); }

    // Returns the materials that an instance binds to these symbols, which must outlive this. A symbol
    // without a binding is treated as a material id, as in old files.
    MaterialBinding bind(io::XmlNode instance, const Symbols& symbols);
    // Set when there are more than Limits::materials; bindings returned since then must not be used.
    const std::optional<LoadError>& limit_error() const { return limit_error_; }
    // Adds the warnings about reduced images; call it once, after the last material.
    void report_reduced_images() const { textures_.report_reduced(); }

private:
    struct LoadedMaterial {
        std::uint32_t index = scene::none;
        std::array<std::string_view, max_texture_sets> texcoords{}; // symbols, by Texture::uv_set
    };

    // The sets that <bind_vertex_input> gives symbols of texture coordinates.
    using BoundSets = std::map<std::string_view, std::uint32_t>;

    // A material of more than two symbols is converted for each distinct binding, because symbols bound to
    // one set share it: it may then need two sets only.
    struct MaterialVersions {
        bool is_read = false;
        std::set<std::string_view> texcoords; // symbols of all textures
        std::map<BoundSets, LoadedMaterial> by_sets;
    };

    // The default materials of symbols, and the symbols not looked up yet, ascending.
    struct DefaultMaterialState {
        DefaultMaterials materials;
        std::vector<std::uint32_t> open;
    };

    DefaultMaterialState& own_of(const Symbols& symbols, io::XmlNode instance);
    void bind_rest(io::XmlNode first, io::XmlNode instance, const Symbols& symbols,
                   const std::vector<bool>& is_bound, DefaultMaterialState& own, MaterialBinding& binding);
    // `instance`: <instance_material>, or nothing.
    const LoadedMaterial& load(io::XmlNode material, io::XmlNode instance);
    static BoundSets sets_of(const MaterialVersions& versions, io::XmlNode instance);
    static BoundMaterial bound(const LoadedMaterial& material, io::XmlNode instance);
    void convert(Effect from, const BoundSets& sets, LoadedMaterial& loaded, scene::Material& to);
    void set_opacity(const Effect& from, scene::Material& to);
    void set_bump(const Effect& from, scene::Material& to);
    scene::Texture texture(const ColorOrTexture& from);
    void assign_uv_set(scene::Texture& texture, const ColorOrTexture& from, const BoundSets& sets,
                       LoadedMaterial& loaded);

    // material_images.cpp
    static std::string name_of(io::XmlNode node); // its name, else its id
    std::uint32_t image(io::XmlNode image);
    std::uint32_t embedded(io::XmlNode image, io::XmlNode hex);
    std::uint32_t decoded(Bytes bytes, const std::string& name, io::XmlNode image);
    using MaskKey = std::tuple<std::uint32_t, OpaqueMode, long>; // image, opaque mode, 255 x transparency
    bool may_mask(const scene::Image& mask);
    std::uint32_t masked(std::uint32_t color, std::uint32_t mask, const Effect& effect);

    TransparencyMode transparency_mode_ = TransparencyMode::as_specified;
    std::optional<LoadError> limit_error_;
    const Limits& limits_;
    Documents& documents_;
    io::WarningLog& warnings_;
    scene::Scene& scene_;
    Effects effects_;
    images::TextureLibrary textures_;
    images::DerivedImages derived_;
    std::map<std::pair<const void*, const void*>, DefaultMaterialState>
        own_; // by symbols and the instance's document
    std::unordered_map<const void*, MaterialVersions> loaded_;
    std::unordered_map<const void*, std::uint32_t> images_;
    std::map<std::pair<std::uint32_t, MaskKey>, std::uint32_t> masked_;
    std::set<MaskKey> opaque_masks_;
    std::uint64_t wasted_mask_pixels_ = 0; // of masks that are fully opaque
};

} // namespace vitrine::dae
