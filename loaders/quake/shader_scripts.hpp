#pragma once
// The Quake III shader scripts (*.shader) and Doom 3 materials (*.mtr) of an upload, and the appearance that
// each defines, as far as a material of the Scene can represent it.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "loaders/io/input.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::quake {

// How a stage is blended over the previous ones; `under` below.
enum class StageBlend : std::uint8_t {
    none,
    alpha,
    add,       // under + color
    add_alpha, // under + color * alpha
    filter,    // under * color
    darken,    // under * (1 - color)
};

// The alpha test of a stage.
enum class AlphaTest : std::uint8_t { none, above_zero, below_half, from_half };

struct ShaderAppearance {
    std::string image; // of the most significant stage: preferably not a reflection or glow
    std::string editor_image;
    std::string normal_image; // Doom 3's bumpmap
    StageBlend blend = StageBlend::none;
    AlphaTest alpha_test = AlphaTest::none;
    bool clamps = false;           // clamped texture addressing
    bool is_reflection = false;    // the image is an environment reflection without UV mapping
    bool is_hidden = false;        // never drawn
    bool is_plain = false;         // its stages have no image, not even one with the shader's name
    bool is_sprite = false;        // every four vertices are a camera-facing sprite with the whole image
    std::size_t unused_images = 0; // number of further images, of stages that are not shown

    // Otherwise the surface has no texture, or is not drawn.
    bool names_image() const { return !image.empty() || !editor_image.empty(); }
};

// Sets the alpha mode of a material with the shader's image (see set_alpha() of stage_blending.hpp).
void set_alpha_mode(const ShaderAppearance& appearance, scene::Material& material);

// Parses the text between the braces of a definition. Never fails; linear time.
ShaderAppearance parse_shader(std::string_view body);

class ShaderScripts {
public:
    // Both arguments must outlive it.
    ShaderScripts(Source& source, io::WarningLog& warnings) : source_(source), warnings_(warnings) {}

    // Finds a shader's definition; nullptr without one. Ignores case, extension and the kind of slash. The
    // first of several definitions is used, scripts being sorted by name. All scripts are read on the first
    // call. The pointer is valid as long as this.
    const ShaderAppearance* find(std::string_view shader);

private:
    struct Definition {
        std::string_view body;
        std::optional<ShaderAppearance> appearance; // parsed on first use
    };
    void read_all();
    void read(std::string_view text);

    Source& source_;
    io::WarningLog& warnings_;
    bool is_read_ = false;
    std::deque<std::string> converted_; // texts that were converted to another encoding
    std::unordered_map<std::string, Definition, io::StringHash, std::equal_to<>> definitions_;
};

} // namespace vitrine::quake
