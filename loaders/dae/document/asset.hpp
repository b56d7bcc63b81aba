#pragma once
// <asset>: unit, up axis, authoring tool. An element's own <asset> applies to everything inside it.

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/io/xml/xml.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::dae {

// From an element's coordinates to meters with y up: p' = unit_meters * axes * p.
struct AssetSpace {
    glm::mat3 axes{1.0f};
    double unit_meters = 1.0;
    bool operator==(const AssetSpace&) const = default;
};

// The values declared by <asset>s, each optional.
struct DeclaredSpace {
    std::optional<glm::mat3> axes;
    std::optional<double> unit_meters;

    bool is_complete() const { return axes && unit_meters; }
    AssetSpace in(const AssetSpace& around) const
    {
        return {axes.value_or(around.axes), unit_meters.value_or(around.unit_meters)};
    }
};

// Returns the transform from `inner` to `outer` coordinates: a rotation and a uniform scale.
glm::dmat4 between(const AssetSpace& outer, const AssetSpace& inner);

// The <asset>s of one document.
class Assets {
public:
    // Adds an <asset>, in document order. Returns the faults of its <unit> or <up_axis>, which are then
    // ignored.
    std::vector<std::pair<io::XmlNode, std::string>> add(io::XmlNode asset);

    // Returns the nearest declared unit and axis, except the document's own.
    DeclaredSpace below_root(io::XmlNode node) const;
    // The same including the document's own.
    AssetSpace of(io::XmlNode node) const;

private:
    std::unordered_map<const void*, DeclaredSpace> by_holder_;
    DeclaredSpace of_root_;
    bool has_root_ = false;
};

} // namespace vitrine::dae
