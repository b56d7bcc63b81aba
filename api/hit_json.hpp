#pragma once
// What lies under a pixel as JSON: one text on the command line, in REST and in the live preview.

#include <optional>

#include <boost/json/object.hpp>

#include "loaders/scene/hit.hpp"

namespace vitrine::api {

// {"hit": null}: nothing of the model. Else {"hit": {node: {index, name}, mesh: {index, name}, primitive,
// triangle, barycentric, material: {index, name} or null, joint: {node, name, weight} or null, position,
// normal, uv, distance}}; names are empty where the file has none. Metres, scene space.
boost::json::object hit_json(const scene::Scene& scene, const std::optional<scene::Hit>& hit);

} // namespace vitrine::api
