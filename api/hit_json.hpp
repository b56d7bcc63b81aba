#pragma once
// The result of a pick as JSON, shared by the command line, REST and the live preview.

#include <optional>

#include <boost/json/object.hpp>

#include "loaders/scene/hit.hpp"

namespace vitrine::api {

// Returns {"hit": null} if the pixel shows nothing of the model. Else {"hit": {node: {index, name}, mesh:
// {index, name}, primitive, triangle, barycentric, material: {index, name} or null, joint: {node, name,
// weight} or null, position, normal, uv, distance}}; names are empty if the file has none. Meters, scene
// space.
boost::json::object hit_json(const scene::Scene& scene, const std::optional<scene::Hit>& hit);

} // namespace vitrine::api
