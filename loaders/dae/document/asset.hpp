#pragma once
// <asset>: unit, up axis, program. An element may have one of its own, which counts for all inside it.

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/io/xml/xml.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::dae {

// From the element's own coordinates to metres with y up: p' = unit_metres * axes * p.
struct Space {
    glm::mat3 axes{1.0f};
    double unit_metres = 1.0;
    bool operator==(const Space&) const = default;
};

// What <asset>s say of it, each where one does.
struct DeclaredSpace {
    std::optional<glm::mat3> axes;
    std::optional<double> unit_metres;

    bool is_complete() const { return axes && unit_metres; }
    Space in(const Space& around) const
    {
        return {axes.value_or(around.axes), unit_metres.value_or(around.unit_metres)};
    }
};

// From `inner` to `outer` coordinates: a rotation and one scale for all axes.
glm::dmat4 between(const Space& outer, const Space& inner);

// The <asset>s of one document.
class Assets {
public:
    // Each of them, in the order of the document. What is wrong with its <unit> or <up_axis>, which then
    // counts as if it were not there.
    std::vector<std::pair<io::XmlNode, std::string>> add(io::XmlNode asset);

    // What the nearest say, unit and axis each, below the document's own.
    DeclaredSpace below_root(io::XmlNode node) const;
    // And with that.
    Space of(io::XmlNode node) const;

private:
    std::unordered_map<const void*, DeclaredSpace> by_holder_;
    DeclaredSpace of_root_;
    bool has_root_ = false;
};

} // namespace vitrine::dae
