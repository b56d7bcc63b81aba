#pragma once
// A line of an MTL library that names a picture: "map_Kd -s 2 2 -clamp on picture.png". A name may hold
// blanks and what looks like an option, and some programs write the options behind it.

#include <string>
#include <string_view>

#include <glm/glm.hpp>

#include "loaders/io/text/warning_log.hpp"

namespace vitrine::obj {

struct MtlMap {
    std::string file; // empty: no map
    glm::vec2 offset{0.0f};
    glm::vec2 scale{1.0f};
    float bump = 1.0f; // -bm
    bool clamp = false;

    bool has_same_transform(const MtlMap& other) const
    {
        return offset == other.offset && scale == other.scale && clamp == other.clamp;
    }
};

// Of what stands behind the line's first word. Options that change what is seen and are not in the Scene, and
// those that MTL does not have, are warnings at `place` ("m.mtl: line 3").
MtlMap parse_map(std::string_view rest, const std::string& place, io::WarningLog& warnings);

} // namespace vitrine::obj
