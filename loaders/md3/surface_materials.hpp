#pragma once
// The materials of surfaces: by the .skin files of their part, else by the shaders that the file names. Other
// skins become variants of the scene.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/md3/player.hpp"
#include "loaders/md3/skin_file.hpp"
#include "loaders/quake/texture_picker.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::md3 {

class SurfaceMaterials {
public:
    // All arguments must outlive this object.
    SurfaceMaterials(Source& source, const Limits& limits, scene::Scene& scene, quake::TexturePicker& picker,
                     io::WarningLog& warnings)
        : source_(source), limits_(limits), scene_(scene), picker_(picker), warnings_(warnings)
    {
    }

    // Lists the shaders of the surfaces, of which those that are not drawn become invisible. `part`: the file
    // of their part, whose skins its levels of detail wear too.
    void add(const ModelPart::Level& surfaces, const std::string& part);

    // Makes the materials of all surfaces, after all were added, so that an image named by one is not guessed
    // for another. Error: limit_exceeded.
    LoadResult<void> make();

private:
    struct PartSkins {
        SkinFiles files;
        std::vector<SkinFile> contents{}; // of files.all
    };
    struct Surface {
        std::uint32_t node = 0;
        std::vector<std::string> shaders{}; // possible ones, the best first
        std::string part{};
        std::vector<std::pair<std::string, std::string>> skins{}; // name of a skin, shader
    };
    struct WornMaterial {
        std::uint32_t mesh = 0;
        std::uint32_t material = 0;
    };
    using WornSkins = std::map<std::string, std::vector<WornMaterial>>;

    const PartSkins& skins_of(const std::string& part);
    bool is_hidden(const std::string& shader);
    LoadResult<void> add_material(const Surface& surface);
    std::uint32_t find_or_add(const std::string& shader, const std::string& mesh);
    WornSkins find_skins_worn();
    void add_variants();
    void warn_about_missing_skins();

    Source& source_;
    const Limits& limits_;
    scene::Scene& scene_;
    quake::TexturePicker& picker_;
    io::WarningLog& warnings_;
    std::map<std::string, PartSkins> skins_; // by the file of the part
    std::vector<Surface> surfaces_;
    std::map<std::string, std::uint32_t> materials_; // by shader and mesh
};

} // namespace vitrine::md3
