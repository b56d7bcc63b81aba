#pragma once
// Data of an asset that requests compute from its Scene: bounds, poses, tracks, meshes, exports; with the
// entity tags, which are known without the Scene. Results that take long are read from the derived cache
// after the first time. Any thread; blocking (not the I/O threads).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "api/pose_json.hpp"
#include "loaders/export/obj/baked_mesh.hpp"
#include "loaders/scene/scene.hpp"
#include "server/services/catalog/records.hpp"
#include "server/services/storage/derived_cache.hpp"
#include "server/services/storage/scene_store.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

// Returns a strong entity tag for data of this version of the asset.
std::string data_etag(const AssetRecord& asset, std::string_view kind);
// Returns a strong entity tag for a document that the import stored.
std::string document_etag(const AssetRecord& asset, AssetDocument document);

enum class BoundsGrouping : std::uint8_t { clip, frame, joint, mesh };
struct BoundsQuery {
    std::uint32_t clip = scene::none; // none: the static pose
    double from = 0.0, to = 0.0;      // seconds of the clip, within it; from <= to
    BoundsGrouping per = BoundsGrouping::clip;
};
std::string bounds_etag(const AssetRecord& asset, const BoundsQuery& query);
// Returns api::BoundsReport as JSON text. Errors: too_large ("too_much_work": too many vertices times poses).
Result<std::string> find_bounds(DerivedCache& derived, const AssetRecord& asset, const scene::Scene& scene,
                                const BoundsQuery& query);

struct PoseQuery {
    api::PoseSelection selection;
    std::vector<double> times; // seconds from the clip's start
};
// Returns the response of GET .../pose as JSON, or packed as floats, time after time. Errors: too_large
// ("too_many_poses").
Result<boost::json::object> sample_poses(const scene::Scene& scene, const PoseQuery& query);
Result<std::string> sample_packed_poses(const scene::Scene& scene, const PoseQuery& query);
// Returns api::tracks_json() of the nodes. Errors: too_large ("too_many_values").
Result<boost::json::object> find_tracks(const scene::Scene& scene, std::uint32_t clip,
                                        const std::vector<std::uint32_t>& nodes);

// Returns the mesh in a pose; `clip` none: the static pose. Errors: those of bake_mesh().
Result<BakedMesh> bake_pose(const scene::Scene& scene, std::uint32_t clip, double time, BakeSpace space);

// `variant`: material variant; none: all variants.
std::string export_etag(const AssetRecord& asset, std::uint32_t variant);
// Returns the asset as one GLB. Errors: unprocessable (the format cannot hold it), and those of
// SceneStore::find.
Result<std::shared_ptr<const std::vector<std::byte>>>
export_glb(SceneStore& scenes, DerivedCache& derived, const AssetRecord& asset, std::uint32_t variant);

} // namespace vitrine::server
