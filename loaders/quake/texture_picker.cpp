#include "loaders/quake/texture_picker.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/images/image.hpp"
#include "loaders/io/image_names.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/quake/image_names.hpp"

namespace vitrine::quake {
namespace {

// Returns the name of the last folder.
std::string folder_name(std::string_view name)
{
    std::string_view folder = io::folder_of(name);
    if (!folder.empty()) folder.remove_suffix(1);
    return std::string(io::base_name(folder));
}

// DarkPlaces also searches a shader without a folder among the textures ("crylink.tga").
bool is_bare(std::string_view shader)
{
    return !shader.empty() && shader.find_first_of("/\\") == shader.npos;
}

} // namespace

TexturePicker::TexturePicker(Source& source, images::TextureLibrary& textures, io::WarningLog& warnings,
                             std::string_view format)
    : source_(source), textures_(textures), warnings_(warnings), config_(source, format),
      scripts_(source, warnings), stage_images_(textures), tests_alpha_(format == "md2" || !config_.empty()),
      shares_skins_(format == "md3")
{
    // Limits searches: a hostile model names a hundred thousand images in an upload of ten thousand files.
    constexpr std::uint64_t max_steps = 10'000'000;
    searches_left_ = std::max<std::uint64_t>(64, max_steps / (source.names().size() + 1));
}

std::uint32_t TexturePicker::try_file(const std::string& file)
{
    std::string reason;
    const std::uint32_t image = textures_.try_file(file, reason);
    if (image == scene::none && unusable_image_.file.empty()) unusable_image_ = {file, std::move(reason)};
    return image;
}

std::string TexturePicker::find_file(const std::string& name)
{
    if (name.empty() || searches_left_ == 0) return {};
    --searches_left_;
    std::string file = textures_.find(name);
    if (!file.empty() && !belongs_to_other_mesh({name, file, nullptr})) return file;
    std::string in_package = find_in_package(name);
    return in_package.empty() ? file : in_package;
}

// Searches by the name relative to the package's root, with the extensions that the games try, ignoring case.
std::string TexturePicker::find_in_package(const std::string& name)
{
    const auto plain = io::normalize_name(name);
    if (!plain || !plain->contains('/')) return {};
    const std::string stem(io::is_image_name(*plain) ? io::path_without_extension(*plain)
                                                     : std::string_view(*plain));
    for (const std::string& candidate : {*plain, stem + ".tga", stem + ".jpg", stem + ".png"}) {
        if (source_.can_open_outside(candidate)) return candidate;
        if (const std::string lower = ascii::lower(candidate); source_.can_open_outside(lower)) return lower;
    }
    return {};
}

std::uint32_t TexturePicker::use(const std::string& name, const std::string& file)
{
    const std::uint32_t image = file.empty() ? scene::none : try_file(file);
    if (image != scene::none) found_ = {name, file, nullptr};
    return image;
}

std::uint32_t TexturePicker::first_usable(const std::vector<ImageRequest>& all)
{
    for (const ImageRequest& wanted : all) {
        const std::uint32_t image = use(wanted.name, find_file(wanted.name));
        if (image == scene::none) continue;
        found_.appearance = wanted.appearance;
        return image;
    }
    return scene::none;
}

// Returns whether the file found has another path or case than the model names; the extension is ignored,
// because shaders have none.
bool TexturePicker::belongs_to_other_mesh(const FoundImage& found) const
{
    const auto is_there = [&](std::string_view folder) {
        const auto name = io::normalize_name(std::string(folder).append(found.wanted));
        return name && (*name == found.file ||
                        io::path_without_extension(*name) == io::path_without_extension(found.file) ||
                        *name == io::path_without_extension(found.file));
    };
    return !is_there(io::folder_of(source_.main_name())) && !is_there("");
}

// The surfaces of an MD3 player share a skin: one used by several may also be used by others.
bool TexturePicker::is_claimed_by_other_mesh(const std::string& file) const
{
    const auto claims = claimed_.find(file);
    return claims != claimed_.end() && (claims->second == 1 || !shares_skins_);
}

// Returns the most likely image of the folder, if it is unambiguous.
std::uint32_t TexturePicker::guess(const std::string& mesh)
{
    if (--guesses_left_ < 0) return scene::none;
    constexpr std::size_t max_tried = 8;
    const std::string_view folder = io::folder_of(source_.main_name());
    std::vector<std::pair<int, std::string>> found;
    for (const std::string& name : source_.names()) {
        if (io::folder_of(name) != folder || !io::is_image_name(name) || is_claimed_by_other_mesh(name))
            continue;
        if (const int likely = name_match_score(ascii::lower(std::string(io::stem_of(name))), mesh);
            likely > 0)
            found.emplace_back(-likely, name);
    }
    std::ranges::sort(found);
    if (found.size() > 1 && found.front().first == -1) return scene::none; // ambiguous
    for (std::size_t i = 0; i < std::min(found.size(), max_tried); ++i) {
        const std::uint32_t image = use({}, found[i].second);
        if (image == scene::none) continue;
        choice_reason_ = found[i].first == -3   ? "which is named like the mesh"
                         : found[i].first == -2 ? "which is named like a skin"
                                                : "the only likely image of the folder";
        return image;
    }
    return scene::none;
}

// A shader script takes precedence over an image with the shader's name, as in the game.
std::vector<TexturePicker::ImageRequest> TexturePicker::wanted_of(const SkinImages* skin,
                                                                  std::span<const std::string> shaders)
{
    std::vector<ImageRequest> all, last;
    if (skin != nullptr) all.push_back({skin->color, nullptr});
    for (const std::string& shader : shaders) {
        const ShaderAppearance* appearance = scripts_.find(shader);
        if (appearance != nullptr && !appearance->image.empty())
            all.push_back({appearance->image, appearance});
        if (appearance != nullptr && appearance->is_plain) {
            last.push_back({appearance->editor_image, appearance});
            continue;
        }
        all.push_back({shader, appearance});
        if (!shader.empty()) last.push_back({shader + "_d", appearance});
        if (is_bare(shader)) last.push_back({"textures/" + shader, appearance});
        if (appearance != nullptr) last.push_back({appearance->editor_image, appearance});
    }
    all.insert(all.end(), last.begin(), last.end());
    return all;
}

void TexturePicker::claim(std::span<const std::string> shaders, const std::string& mesh)
{
    for (const ImageRequest& wanted : wanted_of(config_.find_skin(mesh), shaders))
        if (std::string file = find_file(wanted.name); !file.empty()) return void(++claimed_[file]);
}

bool TexturePicker::is_never_drawn(std::string_view shader)
{
    const ShaderAppearance* appearance = scripts_.find(shader);
    return appearance != nullptr && appearance->is_hidden;
}

bool TexturePicker::is_sprite_shader(std::string_view shader)
{
    const ShaderAppearance* appearance = scripts_.find(shader);
    return appearance != nullptr && appearance->is_sprite;
}

// Returns the image that the model, or its .cfg, names.
std::uint32_t TexturePicker::named(const SkinImages* skin, std::span<const std::string> shaders,
                                   const std::string& where)
{
    const std::uint32_t image = first_usable(wanted_of(skin, shaders));
    if (image == scene::none || !belongs_to_other_mesh(found_)) return image;
    warnings_.add("found_elsewhere",
                  fmt::format("the image {} is missing; the file {} is used", io::shown(found_.wanted),
                              io::shown(found_.file)),
                  where);
    return image;
}

std::uint32_t TexturePicker::likely(const std::string& mesh)
{
    const std::string& main = source_.main_name();
    const std::pair<std::string, std::string_view> conventions[] = {
        {mesh, "which is named like the mesh"},
        {mesh.empty() ? "" : mesh + "_skin", "which is named like the mesh"},
        {std::string(io::stem_of(main)), "which is named like the model"},
        {"skin", "which is named like a skin"},
        {folder_name(main), "which is named like the folder"}};
    for (const auto& [name, reason] : conventions) {
        const std::string file = find_file(name);
        const std::uint32_t image = is_claimed_by_other_mesh(file) ? scene::none : use(name, file);
        if (image == scene::none) continue;
        choice_reason_ = reason;
        return image;
    }
    return guess(mesh);
}

} // namespace vitrine::quake
