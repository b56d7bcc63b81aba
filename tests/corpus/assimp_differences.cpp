#include "tests/corpus/assimp_differences.hpp"

#include <algorithm>
#include <array>

namespace vitrine::test {
namespace {

// Several files differ for the same reason.
constexpr std::string_view no_morph = "assimp shows no mesh of a <morph> controller";
constexpr std::string_view element_asset =
    "assimp does not apply the <asset> of an element to that element alone";
constexpr std::string_view no_node = "assimp drops a clip that animates no node";
constexpr std::string_view rotation_order =
    "assimp is wrong for some orders; fbx_frames.tsv agrees with Vitrine";
constexpr std::string_view ticks = "assimp ignores TCDefinition 0: 141120000 ticks per second";

constexpr auto known = std::to_array<KnownDifference>({
    {"node_skew_cube.dae", "skipped", "an assertion of assimp fails at <skew>"},
    {"_reference_controllers_morph.dae", "positions triangles", no_morph},
    {"library_controllers_morph.dae", "positions triangles", no_morph},
    {"morph_one_target_normalized_no_primitive.dae", "positions triangles", no_morph},
    {"morph_vertices_with_position_normal_texture_color.dae", "positions triangles", no_morph},
    {"_reference_different_material_same_morph.dae", "positions triangles", no_morph},
    {"_reference_controllers_skin.dae", "positions",
     "assimp leaves out the nodes that hold the skins; see loaders/dae/controllers/skin_placement.hpp"},
    {"animation_channel_effect_ambient.dae", "clips", no_node},
    {"library_geometries/geometry/asset/unit/unit.dae", "positions", element_asset},
    {"library_geometries/geometry/asset/up_axis/up_axis.dae", "positions", element_asset},
    {"visual_scene/asset/unit/unit.dae", "positions", element_asset},
    {"visual_scene/asset/up_axis/up_axis.dae", "positions", element_asset},
    {"visual_scene/node/asset/unit/unit.dae", "positions", element_asset},
    {"visual_scene/node/asset/up_axis/up_axis.dae", "positions", element_asset},
    {"3insts.dae", "positions triangles", "assimp finds only the top nodes of <library_nodes>"},
    {"external_references/node/node.dae", "positions triangles", "assimp reads no other files"},
    {"node_lookat7.dae", "positions", "the up direction is parallel to the view: any rotation is right"},
    {"clip_1_clip_10_instance_animation_of_same_animation.dae", "duration",
     "assimp ignores start and end of <animation_clip>"},
    {"clip_2_clips_on_same_animation_same_time.dae", "clips",
     "assimp joins clips of one channel that have equal durations"},
    {"box_nested_animation_4286.dae", "skipped",
     "invalid: assimp reads uninitialized memory behind the array of positions"},

    {"cubes_with_outofrange_float.fbx", "positions", "assimp misreads a number of 75 digits"},
    {"blender_279_edge_circle_7400_binary.fbx", "positions triangles",
     "assimp does not triangulate a polygon of 258 corners whose edges touch"},
    {"casegen_rotation_order_7500_ascii.fbx", "positions", rotation_order},
    {"casegen_rotation_order_7500_binary.fbx", "positions", rotation_order},
    {"maya_dual_quaternion_7500_ascii.fbx", "positions", "assimp does not read the skinning method"},
    {"maya_node_attribute_zoo_7500_ascii.fbx", "clips", no_node},
    {"maya_node_attribute_zoo_7500_binary.fbx", "clips", no_node},
    {"maya_ngon_maze_segment_7700_ascii.fbx", "triangles",
     "assimp leaves triangles of a concave polygon out"},
    {"synthetic_geometry_transform_inherit_mode_7700_ascii.fbx", "positions",
     "assimp does not read InheritType"},
    {"synthetic_integer_holes_7700_binary.fbx", "positions triangles",
     "assimp does not read LayerElementHole"},
    {"synthetic_missing_mapping_7500_ascii.fbx", "positions triangles",
     "assimp drops a mesh with a layer without MappingInformationType"},
    {"synthetic_sausage_wiggle_no_link_7500_ascii.fbx", "joints",
     "assimp drops clusters without a bind pose; fbx_frames.tsv agrees with Vitrine"},
    {"synthetic_tcdefinition_0_7100_ascii.fbx", "duration", ticks},
    {"synthetic_tcdefinition_0_7700_ascii.fbx", "duration", ticks},
});

} // namespace

std::span<const KnownDifference> known_differences()
{
    return known;
}

const KnownDifference* find_known_difference(std::string_view path)
{
    const auto found = std::ranges::find_if(
        known, [path](const KnownDifference& difference) { return path.ends_with(difference.file); });
    return found == known.end() ? nullptr : &*found;
}

} // namespace vitrine::test
