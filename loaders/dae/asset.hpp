#pragma once
// <asset>: unit, up axis, program. An element may have one of its own, which counts for all inside it.

#include <string>
#include <string_view>

#include <glm/glm.hpp>

#include "loaders/io/xml.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::dae {

// From the element's own coordinates to metres with y up: p' = unit_metres * axes * p.
struct Space {
    glm::mat3 axes{1.0f};
    double unit_metres = 1.0;
    bool operator==(const Space&) const = default;
};

// By the nearest <asset> that says so, unit and axis each.
Space space_of(io::XmlNode node);
// Of an element that is placed by `from` into coordinates of `around`: as space_of, but where only the
// document that both are in says something, the element is in the coordinates around it. The Conformance Test
// Suite's pictures of asset/unit and asset/up_axis in <node> and <visual_scene> show geometries so, and those
// of <animation> the keys.
Space space_of(io::XmlNode node, io::XmlNode from, const Space& around);
// From `inner` to `outer` coordinates: a rotation and one scale for all axes.
glm::dmat4 between(const Space& outer, const Space& inner);

// What is wrong with a <unit> or <up_axis>, which then counts as if it were not there; empty: nothing, or
// another element.
std::string fault_of_asset(io::XmlNode node);

} // namespace vitrine::dae
