#include "loaders/md3/skin_file.hpp"

#include <algorithm>
#include <vector>

#include "loaders/base/ascii.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::md3 {
namespace {

constexpr std::size_t max_skin_file_bytes = 1u << 20;

struct SurfaceShader {
    std::string_view surface;
    std::string_view shader; // empty: it is a tag
};

std::string_view unquoted(std::string_view text)
{
    return ascii::trimmed(text, [](char c) { return ascii::is_space(c) || c == '"'; });
}

bool is_blank(char c)
{
    return ascii::is_space(c);
}

void skip_blanks(std::string_view& text)
{
    text.remove_prefix(static_cast<std::size_t>(std::ranges::find_if_not(text, is_blank) - text.begin()));
}

// Reads up to a blank or comma; quoted text may contain both.
std::string_view take_word(std::string_view& text)
{
    skip_blanks(text);
    const std::size_t close = text.starts_with('"') ? text.find('"', 1) : text.npos;
    const auto end = close == text.npos
                         ? std::ranges::find_if(text, [](char c) { return c == ',' || is_blank(c); })
                         : text.begin() + static_cast<std::ptrdiff_t>(close) + 1;
    const std::string_view word(text.begin(), end);
    text.remove_prefix(word.size());
    return word;
}

bool take_comma(std::string_view& text)
{
    skip_blanks(text);
    if (!text.starts_with(',')) return false;
    text.remove_prefix(1);
    return true;
}

bool is_tag(std::string_view surface)
{
    return ascii::lower(unquoted(surface)).starts_with("tag_");
}

// The game ends names at blanks, so one line may contain several entries: "a,x.png b,y.png tag_c,". Empty
// when the line does not have this form; its blanks then belong to the one surface or image it names.
std::vector<SurfaceShader> several_entries(std::string_view line)
{
    std::vector<SurfaceShader> entries;
    for (skip_blanks(line); !line.empty(); skip_blanks(line)) {
        SurfaceShader entry{take_word(line), {}};
        if (!take_comma(line)) return {};
        if (!is_tag(entry.surface)) {
            entry.shader = take_word(line);
            if (take_comma(line)) return {};
        }
        entries.push_back(entry);
    }
    return entries.size() > 1 ? entries : std::vector<SurfaceShader>();
}

// Returns the length of the comment that starts here; 0 without one.
std::size_t comment_size(std::string_view text)
{
    if (text.starts_with("//")) return std::min(text.find_first_of("\r\n"), text.size());
    if (text.starts_with("/*")) return std::min(text.find("*/", 2), text.size() - 2) + 2;
    return 0;
}

// Comments start where a word could ("models//a.tga" contains none) and are replaced by blanks. Line ends are
// kept.
std::string without_comments(std::string_view text)
{
    std::string out(text);
    bool is_between = true;
    for (std::size_t at = 0; at < out.size();) {
        const std::size_t size = is_between ? comment_size(text.substr(at)) : 0;
        for (std::size_t i = at; i < at + size; ++i) {
            if (out[i] != '\r' && out[i] != '\n') out[i] = ' ';
        }
        if (size == 0) is_between = is_blank(out[at]) || out[at] == ',';
        at += std::max(size, std::size_t{1});
    }
    return out;
}

std::string lower_stem(std::string_view name)
{
    return ascii::lower(io::stem_of(name));
}

// Returns how specific a .skin file is for a model, both names in lower case without extension and folder; 0:
// not at all. DarkPlaces numbers a model's skins after its whole name ("robo.md3_0.skin"), uses the first and
// supports no other names.
int closeness(const std::string& skin, const std::string& file, const std::string& stem)
{
    if (skin == file + "_0") return 4;
    if (skin == stem + "_default") return 3;
    if (skin == stem) return 2;
    return skin.starts_with(stem + "_") || skin.starts_with(file + "_") ? 1 : 0;
}

// "red" of head_red
std::string skin_name(const std::string& skin, const std::string& file, const std::string& stem)
{
    for (const std::string& prefix : {file + "_", stem + "_"})
        if (skin.starts_with(prefix) && skin.size() > prefix.size())
            return io::to_utf8(skin.substr(prefix.size()));
    return "default";
}

} // namespace

std::string_view name_without_level(std::string_view name)
{
    const std::size_t size = name.size();
    const bool level = size > 2 && name[size - 2] == '_' && name[size - 1] >= '1' && name[size - 1] <= '9';
    return level ? name.substr(0, size - 2) : name;
}

SkinFile::SkinFile(Bytes bytes)
{
    if (bytes.size() > max_skin_file_bytes) return;
    std::string storage;
    const std::string plain = without_comments(io::as_text(bytes, storage));
    std::string_view text = plain;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
        read_line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void SkinFile::read_line(std::string_view line)
{
    const std::size_t comma = line.find(',');
    if (comma == line.npos) return read_replacement(line);
    const std::vector<SurfaceShader> several = several_entries(line);
    for (const SurfaceShader& entry : several)
        add(entry.surface, entry.shader);
    if (several.empty()) add(line.substr(0, comma), line.substr(comma + 1));
}

// DarkPlaces: "replace mesh texture".
void SkinFile::read_replacement(std::string_view line)
{
    const std::string_view command = take_word(line), surface = take_word(line), shader = take_word(line);
    if (ascii::equal_ignoring_case(command, "replace")) add(surface, shader);
}

void SkinFile::add(std::string_view surface, std::string_view shader)
{
    surface = unquoted(surface);
    shader = unquoted(shader);
    if (!surface.empty() && !shader.empty()) shaders_[ascii::lower(surface)] = io::to_utf8(shader);
}

// The game removes a level-of-detail suffix from the surface's name before comparing ("h_head_1").
std::string SkinFile::find_shader(std::string_view surface) const
{
    auto found = shaders_.find(ascii::lower(surface));
    const bool has_level = surface.size() > 2 && surface[surface.size() - 2] == '_';
    if (found == shaders_.end() && has_level)
        found = shaders_.find(ascii::lower(surface.substr(0, surface.size() - 2)));
    return found == shaders_.end() ? std::string() : found->second;
}

SkinFiles find_skins(const Source& source, std::string_view model)
{
    const std::string_view folder = io::folder_of(model);
    const std::string file = ascii::lower(io::base_name(model));
    const std::string stem(name_without_level(lower_stem(model)));
    SkinFiles skins;
    int best = 0;
    for (const std::string& name : source.names()) {
        if (io::folder_of(name) != folder || io::extension_of(name) != ".skin") continue;
        const std::string skin = lower_stem(name);
        const int fits = closeness(skin, file, stem);
        if (fits > 0) skins.all.push_back({name, skin_name(skin, file, stem)});
        if (fits <= best) continue;
        best = fits;
        skins.chosen = name;
    }
    return skins;
}

} // namespace vitrine::md3
