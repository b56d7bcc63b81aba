#pragma once
// The texture settings of a Cube 2 or Red Eclipse .cfg next to a model: md5skin, md3bumpmap and similar.

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "loaders/io/input.hpp"
#include "loaders/io/string_hash.hpp"

namespace vitrine::quake {

struct SkinImages {
    std::string color;
    std::string normal;
};

class SkinConfig {
public:
    // Reads the .cfg files of the model's folder; `format` is the prefix of its commands, "md3" or "md5"
    // (md3skin).
    SkinConfig(Source& source, std::string_view format);

    // Returns nullptr when there is no entry for the mesh.
    const SkinImages* find_skin(const std::string& mesh) const;
    bool empty() const { return skins_.empty(); }
    // Alpha test threshold; 0: no test.
    float alpha_test() const { return alpha_test_; }

private:
    void read(std::string_view text);
    void read_line(std::string_view line);

    std::string format_;
    std::unordered_map<std::string, SkinImages, io::StringHash, std::equal_to<>>
        skins_; // by the mesh's name; "*" for all
    float alpha_test_ = 0.0f;
};

} // namespace vitrine::quake
