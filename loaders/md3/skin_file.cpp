#include "loaders/md3/skin_file.hpp"

#include <algorithm>

#include "loaders/io/encoding.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text_reader.hpp"

namespace vitrine::md3 {
namespace {

constexpr std::size_t largest_file = 1u << 20;

std::string lower(std::string_view text)
{
    std::string out(text);
    std::ranges::transform(out, out.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return out;
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view around = " \t\r\"";
    const std::size_t first = text.find_first_not_of(around);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(around) - first + 1);
}

std::string lower_stem(std::string_view name)
{
    const std::string_view base = io::base_name(name);
    return lower(base.substr(0, base.size() - io::extension_of(base).size()));
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
    const std::string_view surface = trimmed(line.substr(0, comma)), shader = trimmed(line.substr(comma + 1));
    if (!surface.empty() && !shader.empty()) shaders_[lower(surface)] = io::to_utf8(shader);
}

std::string SkinFile::shader_of(std::string_view surface) const
{
    const auto found = shaders_.find(lower(surface));
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
