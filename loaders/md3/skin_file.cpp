#include "loaders/md3/skin_file.hpp"

#include <algorithm>

#include "loaders/io/encoding.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text_reader.hpp"
#include "loaders/scene/ascii.hpp"

namespace vitrine::md3 {
namespace {

constexpr std::size_t largest_file = 1u << 20;

std::string_view unquoted(std::string_view text)
{
    return ascii::trimmed(text, [](char c) { return ascii::is_space(c) || c == '"'; });
}

std::string lower_stem(std::string_view name)
{
    return ascii::lower(io::stem_of(name));
}

// "head" of "head_1".
std::string without_level(std::string stem)
{
    const std::size_t size = stem.size();
    const bool level = size > 2 && stem[size - 2] == '_' && stem[size - 1] >= '1' && stem[size - 1] <= '9';
    return level ? stem.substr(0, size - 2) : stem;
}

} // namespace

SkinFile::SkinFile(Bytes bytes)
{
    if (bytes.size() > largest_file) return;
    std::string storage;
    std::string_view text = io::as_text(bytes, storage);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
        read_line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void SkinFile::read_line(std::string_view line)
{
    line = line.substr(0, line.find("//"));
    const std::size_t comma = line.find(',');
    if (comma == line.npos) return;
    const std::string_view surface = unquoted(line.substr(0, comma)),
                           shader = unquoted(line.substr(comma + 1));
    if (!surface.empty() && !shader.empty()) shaders_[ascii::lower(surface)] = io::to_utf8(shader);
}

std::string SkinFile::shader_of(std::string_view surface) const
{
    const auto found = shaders_.find(ascii::lower(surface));
    return found == shaders_.end() ? std::string() : found->second;
}

ChosenSkin choose_skin(const Source& source, std::string_view model)
{
    const std::string_view folder = io::folder_of(model);
    const std::string stem = without_level(lower_stem(model));
    ChosenSkin chosen;
    int best = 0;
    for (const std::string& name : source.names()) {
        if (io::folder_of(name) != folder || io::extension_of(name) != ".skin") continue;
        const std::string skin = lower_stem(name);
        const int fits = skin == stem + "_default"      ? 3
                         : skin == stem                 ? 2
                         : skin.starts_with(stem + "_") ? 1
                                                        : 0;
        chosen.count += fits > 0 ? 1 : 0;
        if (fits <= best) continue;
        best = fits;
        chosen.name = name;
    }
    return chosen;
}

} // namespace vitrine::md3
