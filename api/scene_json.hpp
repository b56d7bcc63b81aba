#pragma once
// Facts of a Scene as JSON, member by member as README.md names them: `vitrine inspect`, the import and the
// REST handlers print the same. Every function expects a validated Scene.

#include <cstdint>
#include <string>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/geometry/rendering_origin.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::api {

// Everything `vitrine inspect` prints: format, generator, counts, bounds, fileSpace, skeleton, clips,
// materials, variants, images, meshes, warnings.
boost::json::object inspect_json(const scene::Scene& scene);

// {meshes, vertices, polygons, triangles, joints, clips, materials, images}: distinct meshes, not instances;
// vertices and polygons as the file has them; clips with at least one key.
boost::json::object counts_json(const scene::Scene& scene);

// {min, max}; null for an empty box. Floats as they are; what is counted from an origin is added in doubles.
boost::json::value bounds_json(const scene::Aabb& box);
boost::json::value bounds_json(const scene::OffsetBox& offset);

// {upAxis: "X" "-X" "Y" ..., unitMetres, bounds}: `rest` is the scene's box, given back in the file's own
// axes and unit.
boost::json::object file_space_json(const scene::Scene& scene, const scene::OffsetBox& rest);

// The nodes that skins list, in node order; where there is no skin and no mesh, every node.
std::vector<std::uint32_t> joint_nodes(const scene::Scene& scene);
// Those that a skin of the file lists, not once more for each of its instances; every node of MD5 animations.
std::size_t count_listed_joints(const scene::Scene& scene);
// {"joints": [{index, node, name, parent, local, bind, inverseBind, vertices}]}. parent is the index of the
// nearest joint above, null for none; local is the rest transform relative to the parent node; bind and
// inverseBind come from the first skin that lists the joint (null where none does); vertices counts those
// that it moves, each once.
boost::json::object skeleton_json(const scene::Scene& scene);
// The same on one line; a million joints are gigabytes as values.
std::string skeleton_text(const scene::Scene& scene);

// {id, index, name, startTime, duration, frameRate, frames, channels, keys}; channels and keys are numbers.
boost::json::object clip_json(const scene::Scene& scene, std::uint32_t clip);
boost::json::array clips_json(const scene::Scene& scene);
// [{node, name, path, interpolation, keys}], a row per channel of the clip.
boost::json::array channels_json(const scene::Scene& scene, std::uint32_t clip);

boost::json::array materials_json(const scene::Scene& scene);
std::string materials_text(const scene::Scene& scene);       // likewise
boost::json::array variants_json(const scene::Scene& scene); // names of material variants
boost::json::array images_json(const scene::Scene& scene);
boost::json::array warnings_json(const scene::Scene& scene);

// {translation, rotation, scale}.
boost::json::object trs_json(const scene::Trs& trs);
// 16 numbers, column by column.
boost::json::array matrix_json(const glm::mat4& matrix);
// [{index, name, parent, local, model, morphWeights}], a row per node; parent is a node's index or null.
// local is relative to the parent; where the node has a matrix that T * R * S cannot say, its nearest parts.
boost::json::array nodes_json(const scene::Scene& scene, const scene::Pose& pose);

} // namespace vitrine::api
