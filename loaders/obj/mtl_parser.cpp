#include "loaders/obj/mtl_parser.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/ranges.h>

#include "loaders/base/ascii.hpp"
#include "loaders/io/name_index.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/obj/mtl_words.hpp"
#include "loaders/obj/scan.hpp"

namespace vitrine::obj {
namespace {

// Words that set one number, one color or one texture.
struct NumberWord {
    std::string_view word;
    std::optional<float> MtlMaterial::* member;
};
struct ColorWord {
    std::string_view word;
    std::optional<glm::vec3> MtlMaterial::* member;
};
struct MapWord {
    std::string_view word;
    MtlMap MtlMaterial::* member;
};
constexpr std::array number_words = {NumberWord{"ns", &MtlMaterial::shininess},
                                     NumberWord{"tr", &MtlMaterial::transparency},
                                     NumberWord{"pr", &MtlMaterial::roughness},
                                     NumberWord{"pm", &MtlMaterial::metallic},
                                     NumberWord{"ps", &MtlMaterial::sheen},
                                     NumberWord{"pc", &MtlMaterial::clearcoat},
                                     NumberWord{"pcr", &MtlMaterial::clearcoat_roughness}};
constexpr std::array color_words = {ColorWord{"kd", &MtlMaterial::diffuse},
                                    ColorWord{"ks", &MtlMaterial::specular},
                                    ColorWord{"ke", &MtlMaterial::emissive}};
constexpr std::array map_words = {MapWord{"map_kd", &MtlMaterial::diffuse_map},
                                  MapWord{"map_ke", &MtlMaterial::emissive_map},
                                  MapWord{"map_d", &MtlMaterial::dissolve_map},
                                  MapWord{"map_tr", &MtlMaterial::dissolve_map},
                                  MapWord{"map_opacity", &MtlMaterial::dissolve_map},
                                  MapWord{"map_bump", &MtlMaterial::bump_map},
                                  MapWord{"bump", &MtlMaterial::bump_map},
                                  MapWord{"norm", &MtlMaterial::normal_map},
                                  MapWord{"map_norm", &MtlMaterial::normal_map},
                                  MapWord{"map_kn", &MtlMaterial::normal_map},
                                  MapWord{"map_pr", &MtlMaterial::roughness_map},
                                  MapWord{"map_pm", &MtlMaterial::metallic_map}};
// Recognized but not supported.
constexpr std::array<std::string_view, 14> not_shown = {"map_ks",   "map_ns",   "map_ni",  "map_tf", "disp",
                                                        "map_disp", "decal",    "refl",    "map_ps", "map_pc",
                                                        "map_pcr",  "map_refl", "map_rma", "map_orm"};
// Specular anisotropy: not supported either; 0 where a program writes all words.
constexpr std::array<std::string_view, 2> not_shown_unless_zero = {"aniso", "anisor"};
// No visible effect: ambient light, refraction strength.
constexpr std::array<std::string_view, 9> without_effect = {"ka", "ni",       "map_aat",      "kt",   "km",
                                                            "ts", "textures", "map_bumpmult", "scene"};

// Returns the unsupported lighting feature that a line selects; empty without one. Supported are a filter of
// 0 or 1, the first illumination models and the default sharpness.
std::string unshown_light(std::string_view word, std::string_view rest)
{
    const std::string_view first = take_word(rest);
    const auto value = to_number(first);
    if (word == "illum")
        return value && *value >= 4.0f && *value <= 10.0f ? fmt::format("illum {:.0f}", *value) : "";
    if (word == "sharpness") return value.value_or(60.0f) == 60.0f ? "" : "sharpness";
    const auto green = to_number(take_word(rest)), blue = to_number(take_word(rest));
    const bool one = value && green.value_or(*value) == *value && blue.value_or(*value) == *value;
    return one && (*value == 0.0f || *value == 1.0f) ? "" : "Tf";
}

bool is_same_image_file(std::string_view a, std::string_view b)
{
    const auto key = [](std::string_view name) {
        return io::case_folded_name(io::normalize_name(name).value_or(std::string(name)));
    };
    return a == b || key(a) == key(b);
}

// Returns whether the word sets a property of the material.
bool is_property(std::string_view word)
{
    const auto is = [&](const auto& known) { return known.word == word; };
    return word == "d" || std::ranges::any_of(number_words, is) || std::ranges::any_of(color_words, is) ||
           std::ranges::any_of(map_words, is);
}

class MtlParser {
public:
    MtlParser(std::string_view where, std::size_t limit, io::WarningLog& warnings)
        : where_(where), limit_(limit), warnings_(warnings)
    {
    }

    void read_line(std::string_view line, std::uint64_t number)
    {
        line_ = number;
        std::string_view rest = line;
        keyword_ = take_word(rest);
        const std::string word = ascii::lower(keyword_);
        if (word.empty() || word.front() == '#') return;
        if (word == "newmtl") return begin(rest);
        if (!full_ && !materials_.empty()) return read_property(materials_.back(), word, rest);
        if (materials_.empty() && is_property(word))
            warn("mtl_no_material", fmt::format("{} has no preceding newmtl; it is ignored", keyword_));
    }

    // One warning for features that nearly every material of a library has.
    std::vector<MtlMaterial> take()
    {
        end_material();
        if (!unshown_light_.empty())
            warnings_.add("mtl_not_shown",
                          fmt::format("filtered, reflected or refracted light is not supported: {}",
                                      fmt::join(unshown_light_, ", ")),
                          where_);
        return std::move(materials_);
    }

private:
    void warn(std::string_view code, std::string message)
    {
        warnings_.add(code, std::move(message), place());
    }
    std::string place() const { return fmt::format("{}: line {}", where_, line_); }

    // Most programs that write map_Ka use the image of map_Kd.
    void end_material()
    {
        const std::string image_file = std::exchange(ambient_image_, {});
        if (!image_file.empty() && !is_same_image_file(image_file, materials_.back().diffuse_map.file))
            warnings_.add("mtl_not_shown", "map_Ka is not supported; it is ignored", ambient_place_);
    }

    void begin(std::string_view name)
    {
        end_material();
        full_ = materials_.size() >= limit_;
        if (full_)
            return warn("mtl_limit",
                        fmt::format("materials beyond the limit materials = {} are ignored", limit_));
        auto& material = materials_.emplace_back();
        material.name = io::to_utf8(name);
        material.place = place();
        material.folder = io::folder_of(where_);
    }

    void read_property(MtlMaterial& material, std::string_view word, std::string_view rest);
    void read_ambient_map(std::string_view rest);
    void read_dissolve(MtlMaterial& material, std::string_view rest);
    void limit_diffuse(glm::vec3& color);
    std::optional<glm::vec3> read_color(std::string_view rest);

    std::string where_;
    std::string_view keyword_; // of the current line, as written in the file
    std::size_t limit_;
    io::WarningLog& warnings_;
    std::vector<MtlMaterial> materials_;
    std::set<std::string> unshown_light_;
    std::string ambient_image_, ambient_place_; // of the current material's map_Ka
    std::uint64_t line_ = 0;
    bool full_ = false;
};

void MtlParser::read_property(MtlMaterial& material, std::string_view word, std::string_view rest)
{
    for (const auto& [name, member] : number_words) {
        if (word != name) continue;
        if (const auto number = to_number(take_word(rest)))
            material.*member = number;
        else
            warn("mtl_number", fmt::format("{} has no usable number", keyword_));
        return;
    }
    for (const auto& [name, member] : color_words) {
        if (word != name) continue;
        auto color = read_color(rest);
        if (word == "kd" && color) limit_diffuse(*color);
        if (color) material.*member = color;
        return;
    }
    for (const auto& [name, member] : map_words) {
        if (word == name) return void(material.*member = parse_map(rest, place(), warnings_));
    }
    if (word == "map_ka") return read_ambient_map(rest);
    if (word == "d") return read_dissolve(material, rest);
    if (word == "illum" || word == "tf" || word == "sharpness") {
        if (std::string light = unshown_light(word, rest); !light.empty())
            unshown_light_.insert(std::move(light));
        return;
    }
    if (std::ranges::find(not_shown_unless_zero, word) != not_shown_unless_zero.end()) {
        if (to_number(take_word(rest)) != 0.0f)
            warn("mtl_not_shown", fmt::format("{} is not supported; it is ignored", keyword_));
        return;
    }
    if (std::ranges::find(without_effect, word) != without_effect.end()) return;
    const bool known = std::ranges::find(not_shown, word) != not_shown.end();
    if (known) return warn("mtl_not_shown", fmt::format("{} is not supported; it is ignored", keyword_));
    warn("mtl_unknown_word",
         fmt::format("the keyword {} is unknown; its line is ignored", io::shown(keyword_)));
}

// Options are ignored, because the texture is not supported.
void MtlParser::read_ambient_map(std::string_view rest)
{
    io::WarningLog unheard;
    ambient_image_ = parse_map(rest, place(), unheard).file;
    ambient_place_ = place();
}

// "d 0.5" and "d -halo 0.5".
void MtlParser::read_dissolve(MtlMaterial& material, std::string_view rest)
{
    std::string_view word = take_word(rest);
    if (ascii::lower(word) == "-halo") word = take_word(rest);
    if (const auto number = to_number(word))
        material.dissolve = number;
    else
        warn("mtl_number", "d has no usable number");
}

// A surface does not reflect more light than it receives.
void MtlParser::limit_diffuse(glm::vec3& color)
{
    constexpr float range_tolerance = 1e-3f;
    if (glm::any(glm::greaterThan(color, glm::vec3(1.0f + range_tolerance))))
        warn("mtl_number", "Kd exceeds 1; it is clamped");
    color = glm::min(color, 1.0f);
}

std::optional<glm::vec3> MtlParser::read_color(std::string_view rest)
{
    const auto color = to_color(rest);
    if (!color) warn("mtl_number", "a color is neither red, green and blue nor xyz; it is ignored");
    return color;
}

} // namespace

std::vector<MtlMaterial> parse_mtl(std::string_view text, std::string_view where, std::size_t limit,
                                   io::WarningLog& warnings)
{
    MtlParser parser(where, limit, warnings);
    std::string joined; // of continued lines
    std::uint64_t number = 1;
    for (std::size_t at = 0; at < text.size(); ++number) {
        const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
        std::string_view line = text.substr(at, end - at);
        at = end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
        const bool continued =
            line.ends_with('\\') && at < text.size() && ascii::trimmed(line, is_white).front() != '#';
        if (continued) line.remove_suffix(1);
        joined.append(line).append(continued ? " " : "");
        if (continued) continue;
        parser.read_line(joined, number);
        joined.clear();
    }
    return parser.take();
}

} // namespace vitrine::obj
