#pragma once
// JSON of a Scene, with the member names of README.md; shared by `vitrine inspect`, the import and the REST
// handlers. All functions require a validated Scene.

#include <cstdint>
#include <string>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/geometry/rendering_origin.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::api {

// Returns the output of `vitrine inspect`: format, generator, counts, bounds, fileSpace, skeleton, clips,
// materials, variants, images, meshes, warnings.
boost::json::object inspect_json(const scene::Scene& scene);

// Returns {meshes, vertices, polygons, triangles, joints, clips, materials, images}: distinct meshes, not
// instances; vertices and polygons as stored in the file; clips with at least one key.
boost::json::object counts_json(const scene::Scene& scene);

// Returns {min, max}; null for an empty box. Floats are not rounded; a box with an origin is added in
// doubles.
boost::json::value bounds_json(const scene::Aabb& box);
boost::json::value bounds_json(const scene::OffsetBox& offset);

// Returns {upAxis: "X" "-X" "Y" ..., unitMetres, bounds}: `rest` is the scene's box, converted to the file's
// own axes and unit.
boost::json::object file_space_json(const scene::Scene& scene, const scene::OffsetBox& rest);

// Returns the nodes that skins list, in node order; all nodes if the scene has no skin and no mesh.
std::vector<std::uint32_t> joint_nodes(const scene::Scene& scene);
// Counts the joints that a skin of the file lists, once for all instances; for MD5 animations, all nodes.
std::size_t count_listed_joints(const scene::Scene& scene);
// Returns {"joints": [{index, node, name, parent, local, bind, inverseBind, vertices}]}. parent is the index
// of the nearest joint among the ancestors, or null; local is the rest transform relative to the parent node;
// bind and inverseBind come from the first skin that lists the joint (else null); vertices is the number of
// distinct vertices that the joint influences.
boost::json::object skeleton_json(const scene::Scene& scene);
// As skeleton_json(), as one line of text: values of a million joints would take gigabytes.
std::string skeleton_text(const scene::Scene& scene);

// Returns {id, index, name, startTime, duration, frameRate, frames, channels, keys}; channels and keys are
// counts.
boost::json::object clip_json(const scene::Scene& scene, std::uint32_t clip);
boost::json::array clips_json(const scene::Scene& scene);
// Returns [{node, name, path, interpolation, keys}], one row per channel of the clip.
boost::json::array channels_json(const scene::Scene& scene, std::uint32_t clip);

boost::json::array materials_json(const scene::Scene& scene);
std::string materials_text(const scene::Scene& scene);       // as text, like skeleton_text()
boost::json::array variants_json(const scene::Scene& scene); // names of material variants
boost::json::array images_json(const scene::Scene& scene);
boost::json::array warnings_json(const scene::Scene& scene);

// {translation, rotation, scale}.
boost::json::object trs_json(const scene::Trs& trs);
// 16 numbers, column-major.
boost::json::array matrix_json(const glm::mat4& matrix);
// Returns [{index, name, parent, local, model, morphWeights}], one row per node; parent is a node's index or
// null. local is relative to the parent; if the node has a matrix that T * R * S cannot represent, it has the
// nearest values.
boost::json::array nodes_json(const scene::Scene& scene, const scene::Pose& pose);

} // namespace vitrine::api
