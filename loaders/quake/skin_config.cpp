#include <algorithm>
#include <array>
#include <vector>

#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/number_scanner.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/quake/texture_picker.hpp"

namespace vitrine::quake {
namespace {

constexpr std::uint64_t max_config_bytes = 1u << 20;

// Splits a line into words and "quoted strings", up to a comment.
std::vector<std::string> words_of(std::string_view line)
{
    std::vector<std::string> words;
    io::TextReader in(line);
    while (!in.at_end())
        words.emplace_back(in.next().text);
    return words;
}

// "<dds>name" and "<mad:0.5>name" request conversions in Cube 2.
std::string without_command(const std::string& name)
{
    const std::size_t close = name.starts_with('<') ? name.rfind('>') : std::string::npos;
    return close == std::string::npos ? name : name.substr(close + 1);
}

} // namespace

SkinConfig::SkinConfig(Source& source, std::string_view format) : format_(format)
{
    const std::string_view folder = io::folder_of(source.main_name());
    for (const std::string& name : source.names()) {
        if (io::folder_of(name) != folder || io::extension_of(name) != ".cfg") continue;
        const auto bytes = source.open(name);
        if (!bytes || bytes->size() > max_config_bytes) continue;
        std::string storage;
        read(io::as_text(*bytes, storage));
    }
}

void SkinConfig::read(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
        read_line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void SkinConfig::read_line(std::string_view line)
{
    constexpr std::array<std::string_view, 3> commands = {"skin", "bumpmap", "mdlalphatest"};
    if (std::ranges::none_of(commands, [&](std::string_view command) { return line.contains(command); }))
        return;
    const std::vector<std::string> words = words_of(line);
    if (words.size() >= 3 && words[0] == format_ + "skin") skins_[words[1]].color = without_command(words[2]);
    if (words.size() >= 3 && words[0] == format_ + "bumpmap")
        skins_[words[1]].normal = without_command(words[2]);
    if (words.size() >= 2 && words[0] == "mdlalphatest") {
        alpha_test_ = std::clamp(static_cast<float>(io::parse_number(words[1]).value_or(0.0)), 0.0f, 1.0f);
    }
}

const SkinImages* SkinConfig::find_skin(const std::string& mesh) const
{
    auto found = skins_.find(mesh);
    if (found == skins_.end()) found = skins_.find("*");
    return found == skins_.end() ? nullptr : &found->second;
}

} // namespace vitrine::quake
