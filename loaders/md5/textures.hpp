#pragma once
// Which picture an MD5 mesh wears. A shader's name is Doom 3's declaration, which models seldom bring along;
// Cube 2 and Red Eclipse say it in an md5.cfg; elsewhere habits of naming have to do.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loaders/images/texture_library.hpp"
#include "loaders/io/input.hpp"
#include "loaders/io/warning_log.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::md5 {

class TexturePicker {
public:
    // Reads the .cfg files of the model's folder. All outlive it.
    TexturePicker(Source& source, images::TextureLibrary& textures, io::WarningLog& warnings);

    // A material of the shader's name (the mesh's where it has none) with the picture that fits best: the
    // one that a .cfg names for the mesh, the shader's, one named like the mesh, the file or "skin", or the
    // only likely one in the folder. Without any: a warning, and a material without a picture.
    scene::Material material(const std::string& shader, const std::string& mesh);

private:
    struct Skin {
        std::string colour;
        std::string normal;
    };
    void read_config(const std::string& name);
    void read_config_line(std::string_view line);
    const Skin* skin_of(const std::string& mesh) const;
    std::uint32_t first_usable(const std::vector<std::string>& names);
    std::uint32_t guess(const std::string& mesh);

    Source& source_;
    images::TextureLibrary& textures_;
    io::WarningLog& warnings_;
    std::unordered_map<std::string, Skin> skins_; // by the mesh's name; "*" for all
    float alpha_test_ = 0.0f;
    int guesses_left_ = 64; // each walks over all names
};

} // namespace vitrine::md5
