#pragma once
// Selects the image of an MD2, MD3 or MD5 mesh, and its use. A shader name is resolved by a script of the
// game (*.shader) if the upload has one; Cube 2 and Red Eclipse use an md5.cfg (md3.cfg); otherwise by naming
// conventions.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loaders/images/texture_library.hpp"
#include "loaders/io/input.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/quake/shader_scripts.hpp"
#include "loaders/quake/stage_blending.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::quake {

// The texture settings of a Cube 2 or Red Eclipse .cfg next to a model: md5skin, md3bumpmap and similar
// (skin_config.cpp).
struct SkinImages {
    std::string color;
    std::string normal;
};

class SkinConfig {
public:
    // Reads the .cfg files of the model's folder; `format` is the prefix of its commands, "md3" or "md5"
    // (md3skin).
    SkinConfig(Source& source, std::string_view format);

    // Returns nullptr when there is no entry for the mesh.
    const SkinImages* find_skin(const std::string& mesh) const;
    bool empty() const { return skins_.empty(); }
    // Alpha test threshold; 0: no test.
    float alpha_test() const { return alpha_test_; }

private:
    void read(std::string_view text);
    void read_line(std::string_view line);

    std::string format_;
    std::unordered_map<std::string, SkinImages, io::StringHash, std::equal_to<>>
        skins_; // by the mesh's name; "*" for all
    float alpha_test_ = 0.0f;
};

class TexturePicker {
public:
    // Reads the .cfg files of the model's folder; `format` is the prefix of their commands, "md3" or "md5"
    // (md3skin). The references must outlive it.
    TexturePicker(Source& source, images::TextureLibrary& textures, io::WarningLog& warnings,
                  std::string_view format);

    // Reserves the image of these shaders for their mesh: it is not guessed for other meshes, except in MD3
    // when several meshes claim it.
    void claim(std::span<const std::string> shaders, const std::string& mesh);

    // Returns a material with the name of the first shader (the mesh's without shaders) and the best image:
    // the one that a .cfg assigns to the mesh, or the first existing one of the shaders; else, with a warning
    // that states the image and the reason, an unclaimed one named like the mesh, the file or "skin", or the
    // only likely one in the folder. Does not guess when a named image exists but cannot be used. Without any
    // image: a warning, and a material without image. The alpha mode follows the shader's script.
    scene::Material material(std::span<const std::string> shaders, const std::string& mesh);

    // Returns the material of a shader whose image exists, for skins of which another one is shown; nothing,
    // without a warning, for another shader.
    std::optional<scene::Material> find_material(const std::string& shader);

    // Returns whether a script declares that the shader is never drawn.
    bool is_never_drawn(std::string_view shader);

    // Returns whether a script declares that every four vertices show the whole image, regardless of the
    // file's UVs.
    bool is_sprite_shader(std::string_view shader);

private:
    struct ImageRequest { // an image that a shader's script requests
        std::string name;
        const ShaderAppearance* appearance = nullptr;
    };
    struct FoundImage { // the last image found
        std::string wanted;
        std::string file;
        const ShaderAppearance* appearance = nullptr;
    };
    struct UnusableImage { // the first existing image that could not be used
        std::string file;
        std::string reason;
    };
    std::vector<ImageRequest> wanted_of(const SkinImages* skin, std::span<const std::string> shaders);
    std::string find_file(const std::string& name);
    std::string find_in_package(const std::string& name);
    std::uint32_t use(const std::string& name, const std::string& file);
    std::uint32_t first_usable(const std::vector<ImageRequest>& all);
    std::uint32_t named(const SkinImages* skin, std::span<const std::string> shaders,
                        const std::string& where);
    void cut_holes(scene::Material& material);
    void apply_shader(const ShaderAppearance& appearance, scene::Material& material,
                      const std::string& where);
    void finish(scene::Material& material, const ShaderAppearance* appearance, const std::string& normal_map,
                const std::string& base, const std::string& where);
    bool belongs_to_other_mesh(const FoundImage& found) const;
    std::uint32_t likely(const std::string& mesh);
    std::uint32_t guess(const std::string& mesh);
    bool is_claimed_by_other_mesh(const std::string& file) const;
    std::uint32_t try_file(const std::string& file);
    void warn(const std::string& asked, std::uint32_t image, const std::string& where);

    Source& source_;
    images::TextureLibrary& textures_;
    io::WarningLog& warnings_;
    SkinConfig config_;
    ShaderScripts scripts_;
    StageImages stage_images_;
    bool tests_alpha_;  // alpha of an image cuts out parts of the mesh
    bool shares_skins_; // several surfaces use one image
    std::unordered_map<std::string, int, io::StringHash, std::equal_to<>>
        claimed_; // by file: number of claims
    FoundImage found_;
    std::string_view choice_reason_; // the reason of likely()'s choice
    UnusableImage unusable_image_;
    int guesses_left_ = 64;           // each visits all names
    std::uint64_t searches_left_ = 0; // each may visit all names a dozen times
};

} // namespace vitrine::quake
