#include "loaders/md2/file.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "loaders/base/ascii.hpp"
#include "loaders/io/image_names.hpp"
#include "loaders/io/resource_name.hpp"

namespace vitrine::md2 {

namespace {

// UFO: Alien Invasion writes ".name" for an image in the model's folder.
std::string skin_name(std::string_view name, io::TextEncoding encoding)
{
    if (name.size() > 1 && name[0] == '.' && name[1] != '.' && name[1] != '/' && name[1] != '\\')
        name.remove_prefix(1);
    return io::to_utf8(name, encoding);
}

} // namespace

io::TextEncoding encoding_of(const Md2File& file)
{
    std::vector<std::string_view> names(file.skins);
    for (const VertexFrameRecord& frame : file.frames)
        names.push_back(frame.name);
    return io::detect_encoding(names);
}

std::vector<std::string> skins_of(const Md2File& file)
{
    const io::TextEncoding encoding = encoding_of(file);
    std::vector<std::string> skins;
    for (const std::string_view skin : file.skins)
        skins.push_back(skin_name(skin, encoding));
    return skins;
}

std::vector<std::string> find_skins_beside(const Source& source)
{
    if (!source.is_whole_upload()) return {};
    const std::string_view folder = io::folder_of(source.main_name());
    const std::string model = ascii::lower(io::stem_of(source.main_name())) + "_";
    constexpr std::string_view icon = "_i";
    constexpr std::array<std::string_view, 12> maps{"_n",    "_nm",   "_norm", "_normal", "_local", "_s",
                                                    "_spec", "_glow", "_h",    "_bump",   "_gloss", icon};
    std::map<std::string, std::string> images; // by the stem in lower case
    for (const std::string& name : source.names())
        if (io::folder_of(name) == folder && io::is_image_name(name))
            images.emplace(ascii::lower(io::stem_of(name)), name);
    std::vector<std::string> skins;
    for (const auto& [stem, name] : images) {
        const bool is_map = std::ranges::any_of(maps, [&](auto map) { return stem.ends_with(map); });
        if (!is_map && (images.contains(stem + std::string(icon)) || stem.starts_with(model)))
            skins.emplace_back(io::base_name(name));
    }
    return skins;
}

} // namespace vitrine::md2
