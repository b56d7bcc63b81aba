#include "loaders/md5/textures.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "loaders/io/resource_name.hpp"
#include "loaders/io/text_reader.hpp"

namespace vitrine::md5 {
namespace {

constexpr std::uint64_t largest_config = 1u << 20;

std::string lower(std::string_view text)
{
    std::string out(text);
    std::ranges::transform(out, out.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return out;
}

std::string stem_of(std::string_view name)
{
    const std::string_view base = io::base_name(name);
    return std::string(base.substr(0, base.size() - io::extension_of(base).size()));
}

// The last folder's own name.
std::string folder_name(std::string_view name)
{
    std::string_view folder = io::folder_of(name);
    if (!folder.empty()) folder.remove_suffix(1);
    return std::string(io::base_name(folder));
}

// Words and "quoted strings" up to a comment.
std::vector<std::string> words_of(std::string_view line)
{
    std::vector<std::string> words;
    io::TextReader in(line);
    while (!in.at_end())
        words.emplace_back(in.next().text);
    return words;
}

// "<dds>name" and "<mad:0.5>name" ask Cube 2 for a conversion.
std::string without_command(const std::string& name)
{
    const std::size_t close = name.starts_with('<') ? name.rfind('>') : std::string::npos;
    return close == std::string::npos ? name : name.substr(close + 1);
}

bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts)
{
    return std::ranges::any_of(parts, [&](std::string_view part) { return text.contains(part); });
}

// How likely a picture is the colour of a mesh; 0: it is none.
int likelihood(std::string_view stem, const std::string& mesh)
{
    if (contains_any(stem, {"norm", "mask", "spec", "bump", "local", "glow", "height", "rough", "metal",
                            "gloss", "_n", "_s", "_h"})) {
        return 0;
    }
    if (!mesh.empty() && stem.contains(lower(mesh))) return 3;
    return contains_any(stem, {"skin", "diff", "colo", "albedo"}) ? 2 : 1;
}

bool is_picture(std::string_view name)
{
    constexpr std::array<std::string_view, 9> extensions = {".png", ".jpg", ".jpeg", ".tga", ".webp",
                                                            ".bmp", ".psd", ".gif",  ".dds"};
    return std::ranges::find(extensions, io::extension_of(name)) != extensions.end();
}

} // namespace

TexturePicker::TexturePicker(Source& source, images::TextureLibrary& textures, io::WarningLog& warnings)
    : source_(source), textures_(textures), warnings_(warnings)
{
    const std::string_view folder = io::folder_of(source.main_name());
    for (const std::string& name : source.names()) {
        if (io::folder_of(name) == folder && io::extension_of(name) == ".cfg") read_config(name);
    }
}

void TexturePicker::read_config(const std::string& name)
{
    const auto bytes = source_.open(name);
    if (!bytes || bytes->size() > largest_config) return;
    std::string storage;
    std::string_view text = io::as_text(*bytes, storage);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
        read_config_line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void TexturePicker::read_config_line(std::string_view line)
{
    if (!contains_any(line, {"md5skin", "md5bumpmap", "mdlalphatest"})) return;
    const std::vector<std::string> words = words_of(line);
    if (words.size() >= 3 && words[0] == "md5skin") skins_[words[1]].colour = without_command(words[2]);
    if (words.size() >= 3 && words[0] == "md5bumpmap") skins_[words[1]].normal = without_command(words[2]);
    if (words.size() >= 2 && words[0] == "mdlalphatest") {
        alpha_test_ = std::clamp(static_cast<float>(io::parse_number(words[1]).value_or(0.0)), 0.0f, 1.0f);
    }
}

const TexturePicker::Skin* TexturePicker::skin_of(const std::string& mesh) const
{
    auto found = skins_.find(mesh);
    if (found == skins_.end()) found = skins_.find("*");
    return found == skins_.end() ? nullptr : &found->second;
}

std::uint32_t TexturePicker::first_usable(const std::vector<std::string>& names)
{
    for (const std::string& name : names) {
        if (name.empty()) continue;
        const std::string file = textures_.find(name);
        if (file.empty()) continue;
        if (const std::uint32_t image = textures_.try_file(file); image != scene::none) return image;
    }
    return scene::none;
}

// The likeliest picture of the folder, where one stands out.
std::uint32_t TexturePicker::guess(const std::string& mesh)
{
    if (--guesses_left_ < 0) return scene::none;
    constexpr std::size_t most_tried = 8;
    const std::string_view folder = io::folder_of(source_.main_name());
    std::vector<std::pair<int, std::string>> found;
    for (const std::string& name : source_.names()) {
        if (io::folder_of(name) != folder || !is_picture(name)) continue;
        if (const int likely = likelihood(lower(stem_of(name)), mesh); likely > 0)
            found.emplace_back(-likely, name);
    }
    std::ranges::sort(found);
    if (found.size() > 1 && found.front().first == -1) return scene::none; // any of them
    for (std::size_t i = 0; i < std::min(found.size(), most_tried); ++i) {
        if (const std::uint32_t image = textures_.try_file(found[i].second); image != scene::none)
            return image;
    }
    return scene::none;
}

scene::Material TexturePicker::material(const std::string& shader, const std::string& mesh)
{
    scene::Material out;
    out.name = shader.empty() ? mesh : shader;
    out.double_sided = true; // as all formats but glTF: nothing is culled
    const Skin* skin = skin_of(mesh);
    out.base_colour_texture.image =
        first_usable({skin ? skin->colour : "", shader, shader.empty() ? "" : shader + "_d"});
    if (out.base_colour_texture.image == scene::none) {
        const std::string stem = stem_of(source_.main_name());
        std::uint32_t image =
            first_usable({mesh, mesh + "_skin", stem, "skin", folder_name(source_.main_name())});
        if (image == scene::none) image = guess(mesh);
        out.base_colour_texture.image = image;
        const std::string asked = skin && !skin->colour.empty() ? skin->colour : shader;
        if (image == scene::none) {
            warnings_.add(
                "missing_image",
                fmt::format("no picture is there for shader {}; the mesh stays plain", io::shown(asked)),
                out.name);
        } else {
            warnings_.add(
                "found_elsewhere",
                fmt::format("for shader {} a likely picture is taken by its name", io::shown(asked)),
                out.name);
        }
    }
    const std::string base = shader.empty() ? mesh : shader;
    out.normal_texture.image =
        first_usable({skin ? skin->normal : "", base + "_local", base + "_norm", base + "_nm"});
    if (alpha_test_ > 0.0f && out.base_colour_texture.image != scene::none) {
        out.alpha_mode = scene::AlphaMode::mask;
        out.alpha_cutoff = alpha_test_;
    }
    return out;
}

} // namespace vitrine::md5
