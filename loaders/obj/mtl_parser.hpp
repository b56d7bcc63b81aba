#pragma once
// The content of an MTL library, unconverted and with unresolved names.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/obj/mtl_map.hpp"

namespace vitrine::obj {

struct MtlMaterial {
    std::string name;
    std::string place;                                                           // "m.mtl: line 3"
    std::string folder;                                                          // of the library
    std::optional<glm::vec3> diffuse, specular, emissive;                        // Kd, Ks, Ke: sRGB
    std::optional<float> shininess, dissolve, transparency, roughness, metallic; // Ns, d, Tr, Pr, Pm
    std::optional<float> sheen, clearcoat, clearcoat_roughness;                  // Ps, Pc, Pcr
    MtlMap diffuse_map, emissive_map, dissolve_map, bump_map, normal_map, roughness_map, metallic_map;
};

// `where` names the library in warnings. Returns at most `limit` materials; further ones are ignored with a
// warning.
std::vector<MtlMaterial> parse_mtl(std::string_view text, std::string_view where, std::size_t limit,
                                   io::WarningLog& warnings);

} // namespace vitrine::obj
