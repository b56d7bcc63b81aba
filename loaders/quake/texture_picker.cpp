#include "loaders/quake/texture_picker.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/io/resource_name.hpp"
#include "loaders/io/text_reader.hpp"
#include "loaders/quake/picture_names.hpp"
#include "loaders/scene/ascii.hpp"

namespace vitrine::quake {
namespace {

// The last folder's own name.
std::string folder_name(std::string_view name)
{
    std::string_view folder = io::folder_of(name);
    if (!folder.empty()) folder.remove_suffix(1);
    return std::string(io::base_name(folder));
}

} // namespace

TexturePicker::TexturePicker(Source& source, images::TextureLibrary& textures, io::WarningLog& warnings,
                             std::string_view format)
    : source_(source), textures_(textures), warnings_(warnings), config_(source, format),
      tests_alpha_(format == "md2" || !config_.empty())
{
    // A hostile model names a hundred thousand pictures in an upload of ten thousand files.
    constexpr std::uint64_t most_steps = 10'000'000;
    searches_left_ = std::max<std::uint64_t>(64, most_steps / (source.names().size() + 1));
}

std::uint32_t TexturePicker::try_file(const std::string& file)
{
    std::string reason;
    const std::uint32_t image = textures_.try_file(file, reason);
    if (image == scene::none && broken_.file.empty()) broken_ = {file, std::move(reason)};
    return image;
}

std::string TexturePicker::find_file(const std::string& name)
{
    if (name.empty() || searches_left_ == 0) return {};
    --searches_left_;
    return textures_.find(name);
}

std::uint32_t TexturePicker::use(const std::string& name, const std::string& file)
{
    const std::uint32_t image = file.empty() ? scene::none : try_file(file);
    if (image != scene::none) found_ = {name, file};
    return image;
}

std::uint32_t TexturePicker::first_usable(const std::vector<std::string>& names)
{
    for (const std::string& name : names)
        if (const std::uint32_t image = use(name, find_file(name)); image != scene::none) return image;
    return scene::none;
}

// Whether the file that was found has another place or another case than the model says; another extension is
// no news, for a shader has none.
bool TexturePicker::is_foreign(const Found& found) const
{
    const auto is_there = [&](std::string_view folder) {
        const auto name = io::normalise_name(std::string(folder).append(found.wanted));
        return name && (*name == found.file || path_stem(*name) == path_stem(found.file) ||
                        *name == path_stem(found.file));
    };
    return !is_there(io::folder_of(source_.main_name())) && !is_there("");
}

// One that several surfaces name is the whole body's: it may be this one's too.
bool TexturePicker::is_anothers(const std::string& file) const
{
    const auto claims = claimed_.find(file);
    return claims != claimed_.end() && claims->second == 1;
}

// The likeliest picture of the folder, where one stands out.
std::uint32_t TexturePicker::guess(const std::string& mesh)
{
    if (--guesses_left_ < 0) return scene::none;
    constexpr std::size_t most_tried = 8;
    const std::string_view folder = io::folder_of(source_.main_name());
    std::vector<std::pair<int, std::string>> found;
    for (const std::string& name : source_.names()) {
        if (io::folder_of(name) != folder || !is_picture(name) || is_anothers(name)) continue;
        if (const int likely = likelihood(ascii::lower(std::string(io::stem_of(name))), mesh); likely > 0)
            found.emplace_back(-likely, name);
    }
    std::ranges::sort(found);
    if (found.size() > 1 && found.front().first == -1) return scene::none; // any of them
    for (std::size_t i = 0; i < std::min(found.size(), most_tried); ++i) {
        const std::uint32_t image = use({}, found[i].second);
        if (image == scene::none) continue;
        why_ = found[i].first == -3   ? "which is named like the mesh"
               : found[i].first == -2 ? "which is named as skins are"
                                      : "the only likely picture of the folder";
        return image;
    }
    return scene::none;
}

std::vector<std::string> TexturePicker::names_of(const Skin* skin, std::span<const std::string> shaders)
{
    std::vector<std::string> names;
    if (skin != nullptr) names.push_back(skin->colour);
    names.insert(names.end(), shaders.begin(), shaders.end());
    for (const std::string& shader : shaders)
        if (!shader.empty()) names.push_back(shader + "_d");
    return names;
}

void TexturePicker::claim(std::span<const std::string> shaders, const std::string& mesh)
{
    for (const std::string& name : names_of(config_.skin_of(mesh), shaders))
        if (std::string file = find_file(name); !file.empty()) return void(++claimed_[file]);
}

// The picture that the model itself, or a .cfg for it, names.
std::uint32_t TexturePicker::named(const Skin* skin, std::span<const std::string> shaders,
                                   const std::string& where)
{
    const std::uint32_t image = first_usable(names_of(skin, shaders));
    if (image == scene::none || !is_foreign(found_)) return image;
    warnings_.add("found_elsewhere",
                  fmt::format("for the image {} the file {} is taken", io::shown(found_.wanted),
                              io::shown(found_.file)),
                  where);
    return image;
}

std::uint32_t TexturePicker::likely(const std::string& mesh)
{
    const std::string& main = source_.main_name();
    const std::pair<std::string, std::string_view> habits[] = {
        {mesh, "which is named like the mesh"},
        {mesh.empty() ? "" : mesh + "_skin", "which is named like the mesh"},
        {std::string(io::stem_of(main)), "which is named like the model"},
        {"skin", "which is named as skins are"},
        {folder_name(main), "which is named like the folder"}};
    for (const auto& [name, why] : habits) {
        const std::string file = find_file(name);
        const std::uint32_t image = is_anothers(file) ? scene::none : use(name, file);
        if (image == scene::none) continue;
        why_ = why;
        return image;
    }
    return guess(mesh);
}

// Leaves and the like. MD2 has no word for them but the picture's alpha, and Cube 2, whose .cfg names skins,
// tests it unless told otherwise; in Quake III alpha may mean anything.
bool TexturePicker::cuts_holes(std::uint32_t image) const
{
    if (!tests_alpha_) return false;
    const std::vector<std::uint8_t>& pixels = textures_.image(image).pixels;
    for (std::size_t i = 3; i < pixels.size(); i += 4)
        if (pixels[i] < 128) return true;
    return false;
}

// Where what was `asked` for was not to be had and `image` is worn instead, if any.
void TexturePicker::warn(const std::string& asked, std::uint32_t image, const std::string& where)
{
    const bool plain = image == scene::none;
    if (!broken_.file.empty())
        warnings_.add("invalid_image",
                      fmt::format("the image {} cannot be used: {}{}", io::shown(broken_.file),
                                  broken_.reason, plain ? "; the mesh stays plain" : ""),
                      where);
    if (plain && !broken_.file.empty()) return;
    const auto whose = asked.empty() ? std::string("the mesh") : "shader " + io::shown(asked);
    warnings_.add(plain ? "missing_image" : "found_elsewhere",
                  plain ? fmt::format("no picture is there for {}, which stays plain", whose)
                        : fmt::format("for {} the file {} is taken, {}", whose, io::shown(found_.file), why_),
                  where);
}

scene::Material TexturePicker::material(std::span<const std::string> shaders, const std::string& mesh)
{
    scene::Material out;
    const std::string shader = shaders.empty() ? std::string() : shaders.front();
    const std::string& base = shader.empty() ? mesh : shader;
    out.name = io::to_utf8(base);
    const std::string where = out.name.empty() ? source_.main_name() : out.name;
    out.double_sided = true; // as all formats but glTF: nothing is culled
    const Skin* skin = config_.skin_of(mesh);
    broken_ = {};
    out.base_colour_texture.image = named(skin, shaders, where);
    if (out.base_colour_texture.image == scene::none) {
        out.base_colour_texture.image = likely(mesh);
        warn(skin && !skin->colour.empty() ? skin->colour : shader, out.base_colour_texture.image, where);
    }
    out.normal_texture.image =
        first_usable({skin ? skin->normal : "", base + "_local", base + "_norm", base + "_nm"});
    const std::uint32_t image = out.base_colour_texture.image;
    const float alpha_test = config_.alpha_test();
    if (image == scene::none || !(alpha_test > 0.0f || cuts_holes(image))) return out;
    out.alpha_mode = scene::AlphaMode::mask;
    if (alpha_test > 0.0f) out.alpha_cutoff = alpha_test;
    return out;
}

} // namespace vitrine::quake
