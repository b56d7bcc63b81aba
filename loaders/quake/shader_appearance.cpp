#include "loaders/quake/shader_scripts.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "loaders/base/ascii.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/quake/script_tokens.hpp"

namespace vitrine::quake {
namespace {

constexpr std::size_t max_stages = 64; // the game supports eight

struct Stage {
    std::string_view map; // also special names such as "$lightmap"
    StageBlend blend = StageBlend::none;
    AlphaTest alpha_test = AlphaTest::none;
    bool clamps = false;
    bool is_reflection = false;
    bool is_bump = false;   // Doom 3: normal map
    bool is_unseen = false; // Doom 3: specular map, or nothing

    bool has_image() const { return !map.empty() && map[0] != '$' && map[0] != '*'; }
    // Smaller values represent the surface better.
    int distance() const
    {
        return is_reflection ? 2 : blend == StageBlend::add || blend == StageBlend::add_alpha ? 1 : 0;
    }
};

// A keyword and the words after it on its line.
struct Line {
    std::string_view command;
    std::array<std::string_view, 2> values;
    std::string_view rest; // the text of all values

    bool is_command(std::string_view name) const { return ascii::equal_ignoring_case(command, name); }
    bool has_value(std::string_view value) const { return ascii::equal_ignoring_case(values[0], value); }
};

StageBlend blend_of(std::string_view source, std::string_view target)
{
    struct BlendFunctions {
        std::string_view source, target;
        StageBlend blend;
    };
    constexpr std::array<BlendFunctions, 14> table = {{
        {"add", "", StageBlend::add},
        {"filter", "", StageBlend::filter},
        {"gl_one", "gl_zero", StageBlend::none},
        {"gl_one", "gl_one", StageBlend::add},
        {"gl_one", "gl_src_alpha", StageBlend::add},
        {"gl_one", "gl_one_minus_src_color", StageBlend::add},
        {"gl_one_minus_dst_color", "gl_one", StageBlend::add},
        {"gl_dst_color", "gl_one", StageBlend::add},
        {"gl_src_alpha", "gl_one", StageBlend::add_alpha},
        {"gl_dst_color", "gl_zero", StageBlend::filter},
        {"gl_zero", "gl_src_color", StageBlend::filter},
        {"gl_dst_color", "gl_src_color", StageBlend::filter},
        {"gl_zero", "gl_one_minus_src_color", StageBlend::darken},
        {"gl_one_minus_dst_color", "gl_zero", StageBlend::darken},
    }};
    const auto* found = std::ranges::find_if(table, [&](const BlendFunctions& row) {
        return ascii::equal_ignoring_case(row.source, source) &&
               (row.target.empty() || ascii::equal_ignoring_case(row.target, target));
    });
    return found == table.end() ? StageBlend::alpha : found->blend;
}

AlphaTest alpha_test_of(std::string_view function)
{
    if (ascii::equal_ignoring_case(function, "gt0")) return AlphaTest::above_zero;
    if (ascii::equal_ignoring_case(function, "lt128")) return AlphaTest::below_half;
    return AlphaTest::from_half; // GE128
}

// Doom 3 has functions that combine images.
bool is_function(std::string_view word)
{
    constexpr std::array<std::string_view, 10> names{
        "addnormals", "smoothnormals", "heightmap",   "add",           "scale",
        "downsize",   "invertalpha",   "invertcolor", "makeintensity", "makealpha"};
    return std::ranges::any_of(names,
                               [&](std::string_view name) { return ascii::equal_ignoring_case(name, word); });
}

// Returns the first image in a function, "addnormals(a.tga, heightmap(b.tga, 4))", or the image itself.
std::string_view image_of(const Line& line)
{
    constexpr std::string_view delimiters = "(), \t";
    std::string_view program = line.rest;
    std::size_t size = std::min(program.find_first_of(delimiters), program.size());
    if (!is_function(program.substr(0, size))) return line.values[0];
    while (is_function(program.substr(0, size))) {
        const std::size_t next = std::min(program.find_first_not_of(delimiters, size), program.size());
        program.remove_prefix(next);
        size = std::min(program.find_first_of(delimiters), program.size());
    }
    return program.substr(0, size);
}

std::string_view without_comma(std::string_view word)
{
    return word.ends_with(',') ? word.substr(0, word.size() - 1) : word;
}

class ShaderParser {
public:
    explicit ShaderParser(std::string_view body) : words_(body) {}

    ShaderAppearance run();

private:
    Line read_line(std::string_view command);
    void apply_shader_keyword(const Line& line);
    void apply_implicit_stage(const Line& line);
    void apply_stage_keyword(const Line& line, Stage& stage) const;
    void apply_doom_stage_keyword(const Line& line, Stage& stage) const;
    void take_bumps();
    void choose_stage();

    ScriptWords words_;
    ScriptWords::Word word_;
    ShaderAppearance look_;
    std::vector<Stage> stages_;
};

// Reads the words of the line; the next one is left in word_.
Line ShaderParser::read_line(std::string_view command)
{
    Line line{.command = command, .values = {}, .rest = {}};
    std::size_t values = 0;
    for (word_ = words_.next(); !word_.text.empty() && !word_.starts_line; word_ = words_.next()) {
        if (word_.opens() || word_.closes()) break;
        if (values < line.values.size()) line.values[values++] = word_.text;
        line.rest = {line.values[0].data(), word_.text.data() + word_.text.size()};
    }
    return line;
}

void ShaderParser::apply_shader_keyword(const Line& line)
{
    if (line.is_command("qer_editorimage")) {
        look_.editor_image = io::to_utf8(line.values[0]);
    } else if (line.is_command("surfaceparm") && line.has_value("nodraw")) {
        look_.is_hidden = true;
    } else if (line.is_command("deformvertexes") && line.has_value("autosprite")) {
        look_.is_sprite = true;
    } else if (line.is_command("diffusemap") && stages_.size() < max_stages) {
        stages_.push_back({.map = image_of(line)});
    } else if (line.is_command("bumpmap")) {
        look_.normal_image = io::to_utf8(image_of(line));
    } else {
        apply_implicit_stage(line);
    }
}

// Return to Castle Wolfenstein: one keyword for all stages of a model shader; "-" is the shader's own name.
void ShaderParser::apply_implicit_stage(const Line& line)
{
    const bool cuts = line.is_command("implicitmask"), blends = line.is_command("implicitblend");
    if (!cuts && !blends && !line.is_command("implicitmap")) return;
    const Stage stage{.map = line.has_value("-") ? std::string_view() : line.values[0],
                      .blend = blends ? StageBlend::alpha : StageBlend::none,
                      .alpha_test = cuts ? AlphaTest::from_half : AlphaTest::none};
    if (!stage.map.empty() && stages_.size() < max_stages) return stages_.push_back(stage);
    look_.blend = stage.blend;
    look_.alpha_test = stage.alpha_test;
}

void ShaderParser::apply_stage_keyword(const Line& line, Stage& stage) const
{
    if (line.is_command("map") || line.is_command("clampmap")) {
        stage.map = image_of(line);
        stage.clamps |= line.is_command("clampmap");
    } else if (line.is_command("animmap")) {
        stage.map = line.values[1]; // after the frame rate
    } else if (line.is_command("blendfunc")) {
        stage.blend = blend_of(line.values[0], line.values[1]);
    } else if (line.is_command("alphafunc")) {
        stage.alpha_test = alpha_test_of(line.values[0]);
    } else if (line.is_command("tcgen")) {
        stage.is_reflection = line.has_value("environment") || line.has_value("reflect");
    } else {
        apply_doom_stage_keyword(line, stage);
    }
}

void ShaderParser::apply_doom_stage_keyword(const Line& line, Stage& stage) const
{
    if (line.is_command("blend")) {
        const std::string_view how = without_comma(line.values[0]);
        const auto is = [&](std::string_view name) { return ascii::equal_ignoring_case(how, name); };
        stage.is_bump = is("bumpmap");
        stage.is_unseen = is("specularmap") || is("none");
        if (stage.is_bump || stage.is_unseen || is("diffusemap")) return;
        stage.blend = is("modulate") ? StageBlend::filter : blend_of(how, line.values[1]);
    } else if (line.is_command("alphatest")) {
        stage.alpha_test = AlphaTest::from_half;
    } else if (line.is_command("clamp") || line.is_command("zeroclamp") ||
               line.is_command("alphazeroclamp")) {
        stage.clamps = true;
    } else if (line.is_command("cubemap") || line.is_command("cameracubemap")) {
        stage.map = line.values[0];
        stage.is_reflection = true;
    }
}

// Removes the stages that Doom 3 uses for lighting only.
void ShaderParser::take_bumps()
{
    const auto bump = std::ranges::find(stages_, true, &Stage::is_bump);
    if (bump != stages_.end()) look_.normal_image = io::to_utf8(bump->map);
    std::erase_if(stages_, [](const Stage& stage) { return stage.is_bump || stage.is_unseen; });
}

// What is behind the first stage is visible where that stage is transparent, whatever follows.
void ShaderParser::choose_stage()
{
    std::erase_if(stages_, [](const Stage& stage) { return stage.map.empty(); });
    look_.is_hidden = look_.is_hidden && stages_.empty();
    const Stage* best = nullptr;
    std::size_t image_count = 0;
    for (const Stage& stage : stages_) {
        if (!stage.has_image()) continue;
        ++image_count;
        if (best == nullptr || stage.distance() < best->distance()) best = &stage;
    }
    look_.is_plain = best == nullptr && !stages_.empty();
    if (best == nullptr) return;
    look_.image = io::to_utf8(best->map);
    look_.clamps = best->clamps;
    look_.is_reflection = best->is_reflection;
    look_.unused_images = image_count - 1;
    if (stages_.front().blend != StageBlend::none) look_.blend = best->blend;
    look_.alpha_test = best->alpha_test != AlphaTest::none ? best->alpha_test : stages_.front().alpha_test;
}

ShaderAppearance ShaderParser::run()
{
    int depth = 0;
    word_ = words_.next();
    while (!word_.text.empty()) {
        if (word_.opens() || word_.closes()) {
            depth += word_.opens() ? 1 : -1;
            if (word_.opens() && depth == 1 && stages_.size() < max_stages) stages_.emplace_back();
            word_ = words_.next();
            continue;
        }
        const Line line = read_line(word_.text);
        if (depth == 0)
            apply_shader_keyword(line);
        else if (depth == 1)
            apply_stage_keyword(line, stages_.back());
    }
    take_bumps();
    choose_stage();
    return std::move(look_);
}

} // namespace

// With blending, an alpha test that passes all other pixels only skips invisible ones; otherwise it cuts out
// parts.
void set_alpha_mode(const ShaderAppearance& appearance, scene::Material& material)
{
    const bool cuts = appearance.blend == StageBlend::none    ? appearance.alpha_test != AlphaTest::none
                      : appearance.blend == StageBlend::alpha ? appearance.alpha_test > AlphaTest::above_zero
                                                              : false;
    material.unlit = appearance.blend != StageBlend::none && appearance.blend != StageBlend::alpha;
    if (cuts) {
        material.alpha_mode = scene::AlphaMode::mask;
        material.alpha_cutoff = appearance.alpha_test == AlphaTest::above_zero ? 1.0f / 255.0f : 0.5f;
    } else if (appearance.blend != StageBlend::none) {
        material.alpha_mode = scene::AlphaMode::blend;
    }
}

ShaderAppearance parse_shader(std::string_view body)
{
    return ShaderParser(body).run();
}

} // namespace vitrine::quake
