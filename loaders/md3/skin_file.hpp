#pragma once
// .skin files: the image or shader of each surface, one per line: "h_head,models/players/a/red.tga". An entry
// without an image is a tag. Several entries on one line are separated by blanks and contain none.

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loaders/io/input.hpp"
#include "loaders/io/string_hash.hpp"

namespace vitrine::md3 {

class SkinFile {
public:
    SkinFile() = default;
    explicit SkinFile(Bytes bytes);

    // Returns the shader of a surface, ignoring case; empty when the file has no entry.
    std::string find_shader(std::string_view surface) const;

private:
    void read_line(std::string_view line);
    void read_replacement(std::string_view line);
    void add(std::string_view surface, std::string_view shader);

    std::unordered_map<std::string, std::string, io::StringHash, std::equal_to<>>
        shaders_; // by the surface's name in lower case
};

// Selects the default .skin file among the names in the model's folder: head_default.skin for head.md3 and
// its levels of detail (head_1.md3), else head.skin, else the first head_*.skin; head.md3_0.skin, DarkPlaces'
// name for a model's first skin, has priority.
struct NamedSkin {
    std::string file;
    std::string name; // "red" of head_red.skin, "0" of head.md3_0.skin, "default" of head.skin
};
struct SkinFiles {
    std::string chosen; // empty when there is none
    std::vector<NamedSkin> all;
};
SkinFiles find_skins(const Source& source, std::string_view model);

// "h_head" for "h_head_1", in which the number is that of a level of detail.
std::string_view name_without_level(std::string_view name);

} // namespace vitrine::md3
