#pragma once
// Parses a texture line of an MTL library: "map_Kd -s 2 2 -clamp on picture.png". File names may contain
// blanks and words that look like options, and some programs write the options after the name.

#include <string>
#include <string_view>

#include <glm/glm.hpp>

#include "loaders/io/text/warning_log.hpp"

namespace vitrine::obj {

struct MtlMap {
    std::string file; // empty: no texture
    glm::vec2 offset{0.0f};
    glm::vec2 scale{1.0f};
    float bump = 1.0f; // -bm
    bool clamp = false;

    bool has_same_transform(const MtlMap& other) const
    {
        return offset == other.offset && scale == other.scale && clamp == other.clamp;
    }
};

// Parses the text after the line's first word. Unsupported options that affect the appearance, and unknown
// ones, are reported as warnings at `place` ("m.mtl: line 3").
MtlMap parse_map(std::string_view rest, const std::string& place, io::WarningLog& warnings);

} // namespace vitrine::obj
