#pragma once
// .skin files: which picture or shader a surface wears, a line each: "h_head,models/players/a/red.tga". A
// surface without one is a tag. Several on one line stand apart by blanks, and then hold none.

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "loaders/io/input.hpp"
#include "loaders/io/string_hash.hpp"

namespace vitrine::md3 {

class SkinFile {
public:
    SkinFile() = default;
    explicit SkinFile(Bytes bytes);

    // Empty where the file says nothing of the surface. Case counts not.
    std::string shader_of(std::string_view surface) const;

private:
    void read_line(std::string_view line);
    void read_replacement(std::string_view line);
    void add(std::string_view surface, std::string_view shader);

    std::unordered_map<std::string, std::string, io::StringHash, std::equal_to<>>
        shaders_; // by the surface's name in lower case
};

// Of the names in the model's folder the .skin file that its player wears by default: head_default.skin for
// head.md3 and for its levels of detail (head_1.md3), else head.skin, else the first head_*.skin; before all
// head.md3_0.skin, as DarkPlaces names a model's first. Empty where there is none. `count`: how many there
// are to choose from.
struct ChosenSkin {
    std::string name;
    std::size_t count = 0;
};
ChosenSkin choose_skin(const Source& source, std::string_view model);

} // namespace vitrine::md3
