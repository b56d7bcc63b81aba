#include "loaders/fbx/materials/textures.hpp"

#include <array>

#include "loaders/base/ascii.hpp"

namespace vitrine::fbx {
namespace {

bool is_texture(ObjectType type)
{
    return type == ObjectType::texture || type == ObjectType::layered_texture;
}

// Properties of a Video with its file name; the absolute path first.
constexpr std::array<std::string_view, 3> file_names{"Filename", "FileName", "RelativeFilename"};

bool has_content(const Object& video)
{
    const Element content = video.element["Content"];
    return content.value_count() > 1 || !content[0u].text().empty();
}

} // namespace

// 3ds Max stores the file of a shader map (OSL, Arnold) as "3dsMax|OSLBitmap2|Filename".
std::string_view TextureInputs::file_of_shader(std::uint32_t texture) const
{
    constexpr std::string_view filename_suffix = "|filename";
    const Properties& properties = document_.object(texture).properties;
    for (const Properties::PropertyEntry& entry : properties.own()) {
        if (entry.name.size() < filename_suffix.size()) continue;
        if (!ascii::equal_ignoring_case(entry.name.substr(entry.name.size() - filename_suffix.size()),
                                        filename_suffix))
            continue;
        if (const std::string_view file = properties.text(entry.name); !file.empty()) return file;
    }
    return {};
}

const TextureInputs::Inputs& TextureInputs::of(std::uint32_t object) const
{
    const auto [known, is_new] = inputs_.try_emplace(object);
    Inputs& inputs = known->second;
    if (!is_new) return inputs;
    for (const ObjectConnection& connection : document_.sources(object)) {
        const ObjectType type = document_.object(connection.source).type;
        if (is_texture(type)) inputs.textures.push_back(connection.source);
        if (type == ObjectType::video && inputs.video == no_object) inputs.video = connection.source;
    }
    const Object& texture = document_.object(object);
    if (texture.type != ObjectType::texture) return inputs;
    inputs.shader_file = file_of_shader(object);
    inputs.has_image = !texture.element.text("FileName").empty() ||
                       !texture.element.text("RelativeFilename").empty() || inputs.video != no_object ||
                       !inputs.shader_file.empty();
    return inputs;
}

std::uint32_t TextureInputs::first_with_image(std::uint32_t object) const
{
    for (int depth = 0; depth < max_texture_depth; ++depth) {
        const Inputs& inputs = of(object);
        if (inputs.has_image || inputs.textures.empty()) break;
        object = inputs.textures.front();
    }
    return object;
}

// Of several videos with one file, Maya embeds the image in the first only.
std::uint32_t TextureInputs::find_video(std::uint32_t texture) const
{
    const std::uint32_t own = of(texture).video;
    if (own == no_object || has_content(document_.object(own))) return own;
    if (!has_listed_videos_) {
        has_listed_videos_ = true;
        for (const std::uint32_t video : document_.objects_of_type(ObjectType::video))
            if (has_content(document_.object(video)))
                for (const std::string_view name : file_names)
                    embedding_videos_.try_emplace(document_.object(video).element.text(name), video);
    }
    for (const std::string_view name : file_names) {
        const std::string_view file = document_.object(own).element.text(name);
        if (const auto found = embedding_videos_.find(file);
            !file.empty() && found != embedding_videos_.end())
            return found->second;
    }
    return own;
}

} // namespace vitrine::fbx
