#pragma once
// JSON of a Scene, with the member names of README.md; shared by `vitrine inspect`, the import and the REST
// handlers. All functions require a validated Scene.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "api/resources.hpp"
#include "api/user_clips.hpp"
#include "loaders/scene/geometry/rendering_origin.hpp"
#include "loaders/scene/motion/clip_keys.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::api {

// Returns the output of `vitrine inspect`: format, generator, counts, bounds, fileSpace, skeleton, clips,
// materials, variants, skins (the same list), levels, frames, images, meshes, warnings; clips have their
// facts. The width and height of an image are those of its decoded pixels; if the file has more, the warning
// `image_reduced` has the size of the file.
boost::json::object inspect_json(const scene::Scene& scene);

// Counts the content of a Scene: distinct meshes, not instances; vertices and polygons as stored in the file;
// clips with at least one key; joints as count_listed_joints().
Counts count_contents(const scene::Scene& scene);

// Returns {upAxis: "X" "-X" "Y" ..., unitMetres, bounds}: `rest` is the scene's box, converted to the file's
// own axes and unit.
boost::json::object file_space_json(const scene::Scene& scene, const scene::OffsetBox& rest);

// Returns the nodes that skins list, in node order; all nodes if the scene has no skin and no mesh.
std::vector<std::uint32_t> joint_nodes(const scene::Scene& scene);
// Returns the other nodes that the rig consists of, in node order: tags (MD3), and nodes whose transform a
// clip animates.
std::vector<std::uint32_t> moving_nodes(const scene::Scene& scene);
// Counts the joints that a skin of the file lists, once for all instances; for MD5 animations, all nodes.
std::size_t count_listed_joints(const scene::Scene& scene);
// Returns {"joints": [{index, node, name, kind, parent, local, bind, inverseBind, vertices, role}]}: the
// joint_nodes() of the kind joint, then the moving_nodes(), tag or node. parent is the index of the nearest
// of them among the ancestors, for a joint of the nearest joint, or null; local is the static transform
// relative to the parent node; bind and inverseBind come from the first skin that lists the joint (else
// null); vertices is the number of distinct vertices that the joint influences; role is its bone of a
// humanoid by VRM's name, or null.
boost::json::object skeleton_json(const scene::Scene& scene);
// As skeleton_json(), as one line of text: values of a million joints would take gigabytes.
std::string skeleton_text(const scene::Scene& scene);

// Returns {id, index, name, startTime, duration, frameRate, frames, channels, keys}; channels and keys are
// counts. `cuts` are the last clips; such a clip also has cutFrom {clip, firstFrame, lastFrame}.
boost::json::object clip_json(const scene::Scene& scene, std::uint32_t clip,
                              std::span<const UserClip> cuts = {});
boost::json::array clips_json(const scene::Scene& scene, std::span<const UserClip> cuts = {});
// Returns {"items": clips_json()} as text, the response of GET .../clips.
std::string clips_text(const scene::Scene& scene, std::span<const UserClip> cuts);
// Returns the facts of a clip (loaders/scene/facts), computed at each call: {root, loops, loopRange,
// loopSeam, endSeam, seamSpeed, inPlace, rootDistance, rootPath, rootSpeed, rootTurn, footContacts [{joint,
// node, from, to}], footSlide, keys, frozen, constantTracks, duplicateKeys, redundantKeys, quaternionFlips,
// nonUnitQuaternions, scaleKeys, nonUniformScale, peakSpeed, peakAcceleration, startDifference,
// startRotation, size, jump, missingJoints}; root is {node, name} or null, loopRange [from, to] or null, jump
// {joint, node, time, distance} or null.
boost::json::object clip_facts_json(const scene::Scene& scene, std::uint32_t clip);
// Returns clips_json() whose clips have "facts", computed by all processors.
boost::json::array clips_with_facts_json(const scene::Scene& scene);
// Returns [{node, name, path, interpolation, keys}], one row per channel of the clip.
boost::json::array channels_json(const scene::Scene& scene, std::uint32_t clip);
// Returns clip_json() with "tracks": channels_json(), the response of GET .../clips/{clip}.
boost::json::object clip_with_channels_json(const scene::Scene& scene, std::uint32_t clip,
                                            std::span<const UserClip> cuts);
// Returns {"clip", "tracks": [{node, name, path, interpolation, before, after, times, values}]} of the
// channels that animate a selected node (`selected` is indexed by node). values has one list per key; a key
// of a cubic channel has in-tangent, value, out-tangent.
boost::json::object tracks_json(const scene::Scene& scene, std::uint32_t clip,
                                const std::vector<bool>& selected);

// Returns {time, from, to, blend, previous, next, interpolation}: from and to {key, time}, previous and next
// times or null, interpolation null if channels differ. null without keys.
boost::json::value key_place_json(const std::optional<scene::KeyPlace>& place);
// What is asked of the keys of a clip: all channels that animate a selected node (by node; empty: any), and
// where a time is among them.
struct KeysQuery {
    std::uint32_t clip = 0;
    std::vector<bool> nodes{};
    std::optional<double> time{};
};
// Returns {clip, duration, count, times}, and with a time {at: key_place_json(), tracks: [{node, name, path,
// interpolation, from, to, blend}]}. `times` are the first max_listed_keys.
inline constexpr std::size_t max_listed_keys = 100'000;
boost::json::object keys_json(const scene::Scene& scene, const KeysQuery& query);

// Returns {bounds, fileSpace, clips (the first 64), representativeClip, vrm, attribution,
// warnings}: Asset::summary.
// `shown_clip`: of the thumbnail, or none; `warning_count`: of all warnings of the asset.
boost::json::object summary_json(const scene::Scene& scene, std::uint32_t shown_clip,
                                 std::size_t warning_count);

// Whether the expressions of vrm_json() have lists of their weights, or only the number of morph targets.
enum class VrmWeights : std::uint8_t { counted, listed };
// Returns what a VRM or VRMA file declares; null for other scenes.
boost::json::value vrm_json(const scene::Scene& scene, VrmWeights weights);

// Returns the members of scene::Attribution, null for what the file does not declare.
boost::json::object attribution_json(const scene::Scene& scene);

boost::json::array materials_json(const scene::Scene& scene);
std::string materials_text(const scene::Scene& scene);       // as text, like skeleton_text()
boost::json::array variants_json(const scene::Scene& scene); // names of material variants
// Returns the response of GET .../materials of the texts of both lists.
std::string materials_list_text(std::string_view materials, std::string_view variants);
// Returns [{level, nodes, triangles}]: what each level of detail draws, the most detailed one first.
boost::json::array levels_json(const scene::Scene& scene);
// Returns {skins, levels, frames, nodes [{node, name, parent, mesh, triangles, visible, levels}], omitted}:
// what pictures may select. nodes: those that draw something and those above them, at most max_parts; the
// number of others is `omitted`. parent is a node of the file or null; triangles are those that the node
// itself draws; levels is [first, last] (last null: all further ones). frames: scene::count_file_frames().
boost::json::object parts_json(const scene::Scene& scene);
inline constexpr std::size_t max_parts = 10'000;
boost::json::array images_json(const scene::Scene& scene);
// Returns [{code, message, where}].
boost::json::array warnings_json(std::span<const scene::Warning> warnings);
// Returns the response of GET .../warnings: `first`, then the list of the text `stored` (empty: none).
boost::json::object warnings_list_json(const scene::Warning& first, std::string_view stored);

// Returns null for scene::none.
boost::json::value index_or_null(std::uint32_t index);

// What a model consists of, as lists with stable member names.

// Rows of a list, from `first`, which may be its end or beyond.
struct RowRange {
    std::size_t first = 0;
    std::size_t count = 0;
};
struct RowPage {
    boost::json::array items;
    std::size_t total = 0; // rows of the whole list
};

// Returns [{index, node, name, parent, local, matrix, mesh, skin, visible}], the nodes of the file in an
// order in which parents come first: index and parent are places in the whole list, node is the number that
// other routes use, local and matrix are relative to the parent, matrix is null unless local cannot represent
// it, mesh is an index in meshes_page().
RowPage nodes_page(const scene::Scene& scene, const RowRange& range);
// Returns [{index, name, renderVertices, vertexFrames, morphTargets: names, attributes, primitives: [{index,
// topology, count, material, variants: [{variant, material}]}]}]; count is the number of triangles, lines or
// points, material an index in the list of materials or null, variant an index in that of variants.
RowPage meshes_page(const scene::Scene& scene, const RowRange& range);
// Returns [{index, name, width, height, available}]; the size is that of the decoded pixels, which are not
// available if the file is missing or cannot be decoded.
RowPage images_page(const scene::Scene& scene, const RowRange& range);

} // namespace vitrine::api
