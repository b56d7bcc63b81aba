#pragma once
// Which picture a mesh of MD2, MD3 or MD5 wears, and how. What a shader's name means says a script of the
// game (*.shader), where the upload has it; Cube 2 and Red Eclipse say it in an md5.cfg (md3.cfg); elsewhere
// habits of naming have to do.

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "loaders/images/texture_library.hpp"
#include "loaders/io/input.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/quake/shader_scripts.hpp"
#include "loaders/quake/skin_config.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::quake {

class TexturePicker {
public:
    // Reads the .cfg files of the model's folder; `format` is "md3" or "md5", as its commands begin
    // (md3skin). The references outlive it.
    TexturePicker(Source& source, images::TextureLibrary& textures, io::WarningLog& warnings,
                  std::string_view format);

    // The picture that these name belongs to their mesh: it is never guessed for another, but in MD3 where
    // several claim it.
    void claim(std::span<const std::string> shaders, const std::string& mesh);

    // A material of the first shader's name (the mesh's where there is none) with the picture that fits best:
    // the one that a .cfg names for the mesh, the first of the shaders' that is there; else, with a warning
    // that says which and why, one that nobody claims and that is named like the mesh, the file or "skin", or
    // the only likely one in the folder. Nothing is guessed where one that they name is there and cannot be
    // used. Without any: a warning, and a material without a picture. Its alpha is that of the shader's
    // script.
    scene::Material material(std::span<const std::string> shaders, const std::string& mesh);

    // Whether a script says that the shader is never drawn.
    bool is_never_drawn(std::string_view shader);

    // Whether a script says that each four vertices show the whole picture, wherever the file lays it.
    bool is_sprite_shader(std::string_view shader);

private:
    struct Wanted { // by a shader, as its script says
        std::string name;
        const ShaderAppearance* appearance = nullptr;
    };
    struct Found { // the last that was
        std::string wanted;
        std::string file;
        const ShaderAppearance* appearance = nullptr;
    };
    struct Broken { // the first that was there and could not be used
        std::string file;
        std::string reason;
    };
    std::vector<Wanted> wanted_of(const Skin* skin, std::span<const std::string> shaders);
    std::string find_file(const std::string& name);
    std::string find_in_package(const std::string& name);
    std::uint32_t use(const std::string& name, const std::string& file);
    std::uint32_t first_usable(const std::vector<Wanted>& all);
    std::uint32_t named(const Skin* skin, std::span<const std::string> shaders, const std::string& where);
    std::uint8_t min_alpha(std::uint32_t image);
    void cut_holes(scene::Material& material);
    std::uint32_t stage_image(std::uint32_t image, const ShaderAppearance& appearance);
    void apply_shader(const ShaderAppearance& appearance, scene::Material& material,
                      const std::string& where);
    bool belongs_to_other_mesh(const Found& found) const;
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
    // By the picture that the shader names.
    std::map<std::tuple<std::uint32_t, StageBlend, AlphaTest, bool>, std::uint32_t> stage_images_;
    bool tests_alpha_;  // a picture's holes are the mesh's
    bool shares_skins_; // several surfaces wear one picture
    std::unordered_map<std::string, int, io::StringHash, std::equal_to<>>
        claimed_;                                               // by file: how many name it
    std::unordered_map<std::uint32_t, std::uint8_t> min_alpha_; // by picture
    Found found_;
    std::string_view why_; // likely() chose what it found
    Broken broken_;
    int guesses_left_ = 64;           // each walks over all names
    std::uint64_t searches_left_ = 0; // each may walk over them a dozen times
};

} // namespace vitrine::quake
