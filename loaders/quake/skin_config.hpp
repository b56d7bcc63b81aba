#pragma once
// What a .cfg of Cube 2 or Red Eclipse beside a model says of its pictures: md5skin, md3bumpmap and the like.

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "loaders/io/input.hpp"
#include "loaders/io/string_hash.hpp"

namespace vitrine::quake {

struct Skin {
    std::string color;
    std::string normal;
};

class SkinConfig {
public:
    // Reads the .cfg files of the model's folder; `format` is "md3" or "md5", as its commands begin
    // (md3skin).
    SkinConfig(Source& source, std::string_view format);

    // nullptr where nothing is said of the mesh.
    const Skin* skin_of(const std::string& mesh) const;
    bool empty() const { return skins_.empty(); }
    // Alpha below it is not drawn; 0: it is not tested.
    float alpha_test() const { return alpha_test_; }

private:
    void read(std::string_view text);
    void read_line(std::string_view line);

    std::string format_;
    std::unordered_map<std::string, Skin, io::StringHash, std::equal_to<>>
        skins_; // by the mesh's name; "*" for all
    float alpha_test_ = 0.0f;
};

} // namespace vitrine::quake
