#pragma once
// Data of an asset that requests compute from its Scene: bounds, poses, tracks, meshes, exports; with the
// entity tags, which are known without the Scene. Results that take long are read from the derived cache
// after the first time. Any thread; blocking (not the I/O threads).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <boost/json/object.hpp>

#include "api/pose_json.hpp"
#include "loaders/export/obj/baked_mesh.hpp"
#include "loaders/scene/checks/profile.hpp"
#include "loaders/scene/hit.hpp"
#include "loaders/scene/humanoid/rig_signature.hpp"
#include "loaders/scene/layers/animation_layers.hpp"
#include "loaders/scene/scene.hpp"
#include "loaders/scene/similarity/similarity.hpp"
#include "server/services/catalog/catalog.hpp"
#include "server/services/catalog/records.hpp"
#include "server/services/storage/derived_cache.hpp"
#include "server/services/storage/scene_store.hpp"
#include "server/util/error.hpp"
#include "server/util/shared_bytes.hpp"

namespace vitrine::server {

// Returns a strong entity tag for data of this version of the asset.
std::string data_etag(const AssetRecord& asset, std::string_view kind);
// Returns a strong entity tag for a document that the import stored.
std::string document_etag(const AssetRecord& asset, AssetDocument document);

struct FoundDocument {
    std::string text;
    bool is_current = true; // made by this code; else what the import of an older version has stored
};
// Returns a document of an imported asset as poses and images show it: of an asset without current facts the
// documents of a Scene are made from it, as a refresh will store them. What an older version has stored is
// returned for the others, and when the file cannot be loaded any more, so that it has no poses either.
// Errors: not_ready; those of SceneStore::load that are not of the file.
Result<FoundDocument> find_document(const Catalog& catalog, SceneStore& scenes, const AssetRecord& asset,
                                    AssetDocument document);
// Returns the text of a JSON object as the API shows it: marked unless it is current.
std::string response_text(const AssetRecord& asset, bool is_current, std::string text);

enum class BoundsGrouping : std::uint8_t { clip, frame, joint, mesh };
struct BoundsQuery {
    std::uint32_t clip = scene::none; // none: the static pose
    double from = 0.0, to = 0.0;      // seconds of the clip, within it; from <= to
    BoundsGrouping per = BoundsGrouping::clip;
};
std::string bounds_etag(const AssetRecord& asset, const BoundsQuery& query);
// Returns api::BoundsReport as JSON text. Errors: too_large ("too_much_work": too many vertices times poses).
Result<std::string> query_bounds(DerivedCache& derived, const AssetRecord& asset, const scene::Scene& scene,
                                 const BoundsQuery& query);

std::string checks_etag(const AssetRecord& asset, const scene::CheckProfile& profile);
// Returns api::findings_json() as text.
std::string query_checks(DerivedCache& derived, const AssetRecord& asset, const scene::Scene& scene,
                         const scene::CheckProfile& profile);

struct PoseQuery {
    api::PoseSelection selection;
    std::vector<double> times;    // seconds from the clip's start
    scene::SharedLayers layers{}; // evaluated instead of the clip; they fit the scene
};
std::string poses_etag(const AssetRecord& asset, const PoseQuery& query, bool packed);
// Writes the response of GET .../pose as JSON, or packed as floats, time after time. Errors, before anything
// is written: too_large ("too_many_poses").
Result<void> write_poses(const scene::Scene& scene, const PoseQuery& query, const ContentSink& sink);
Result<void> write_packed_poses(const scene::Scene& scene, const PoseQuery& query, const ContentSink& sink);
// Returns api::tracks_json() of the nodes. Errors: too_large ("too_many_values").
Result<boost::json::object> query_tracks(const scene::Scene& scene, std::uint32_t clip,
                                         const std::vector<std::uint32_t>& nodes);

enum class MeshFormat : std::uint8_t { obj, ply };
struct MeshQuery {
    std::uint32_t clip = scene::none; // none: the static pose
    double time = 0.0;                // seconds from the clip's start
    scene::SharedLayers layers{};     // evaluated instead of the clip; they fit the scene
    MeshFormat format = MeshFormat::obj;
    BakeSpace space = BakeSpace::scene;
};
std::string mesh_etag(const AssetRecord& asset, const MeshQuery& query);
// Computes the mesh in a pose and writes it. Errors, before anything is written: those of bake_mesh().
Result<void> write_mesh(const scene::Scene& scene, const MeshQuery& query, const ContentSink& sink);
// Returns the written mesh as a file of the derived cache; empty if the cache cannot store it. Equal
// concurrent queries compute it once. Errors: those of bake_mesh() and SceneStore::load.
Result<std::optional<DerivedFile>> find_mesh(SceneStore& scenes, DerivedCache& derived,
                                             const AssetRecord& asset, const MeshQuery& query);

// `variant`: material variant; none: all variants.
std::string export_etag(const AssetRecord& asset, std::uint32_t variant);
// Returns the asset as one GLB: a file of the derived cache, or the bytes if the cache cannot store them.
// Equal concurrent calls write it once. Errors: unprocessable (the format cannot hold it), and those of
// SceneStore::load.
using ExportedGlb = std::variant<DerivedFile, SharedBytes>;
Result<ExportedGlb> export_glb(SceneStore& scenes, DerivedCache& derived, const AssetRecord& asset,
                               std::uint32_t variant);

// Returns the response of GET /v1/lineup. Throws Stopped (loaders/base/stop.hpp).
boost::json::object query_lineup(const Lineup& lineup, const LineupModels& loaded);
// Returns that of GET /v1/pick: the hit in the scene of its model.
boost::json::object query_lineup_hit(const Lineup& lineup, const LineupModels& loaded,
                                     const std::optional<scene::Hit>& hit);

// Positions of lists of fitting clips and characters end here.
inline constexpr std::size_t max_fittings = 10'000;

struct FittingQuery {
    std::uint32_t clip = scene::none; // of the asset; none: the clip that fits best
    std::size_t limit = 50;           // clamped to 1..500
    std::size_t offset = 0;
};
struct Fitting {
    std::string asset; // id
    std::string name;
    std::uint32_t clip = scene::none; // of the asset; none in a list of characters
    scene::ClipFit fit;
    std::int64_t order = 0; // among equal fits
};
struct FittingPage {
    std::vector<Fitting> items;
    std::size_t next = 0; // offset of the next page; 0: this is the last one
};
// Returns the clips of other assets that the character plays as `clip=ASSET:CLIP`, those that fit best first.
// Reads one short text per asset of the catalog. Empty optional: the import has not stored the rig.
std::optional<FittingPage> find_fitting_clips(const Catalog& catalog, const AssetRecord& character,
                                              const FittingQuery& query);
// Returns the assets that play the clips of `animation`.
std::optional<FittingPage> find_fitting_characters(const Catalog& catalog, const AssetRecord& animation,
                                                   const FittingQuery& query);

// picture: Pictures::find_similar() (server/services/pictures) instead of find_similar().
enum class SimilarBy : std::uint8_t { bytes, mesh, rig, motion, picture };

struct SimilarQuery {
    SimilarBy by = SimilarBy::mesh;
    std::uint32_t clip = scene::none; // of the asset; none: all
    double min_score = 0.5;
    std::size_t limit = 50; // clamped to 1..500
    std::size_t offset = 0;
};
// Two clips that move alike.
struct SimilarClips {
    std::uint32_t clip = scene::none; // of the other asset
    std::uint32_t of = scene::none;   // of the asset that was asked for
    double score = 0.0;
};
struct SimilarAsset {
    std::string asset; // id
    std::string name;
    double score = 0.0;
    std::string reason;     // a phrase
    std::int64_t order = 0; // among equal scores
    // Only those of SimilarBy:
    std::optional<scene::SurfaceMatch> surface{};
    std::uint32_t triangles = 0; // of the other surface
    std::optional<scene::RigMatch> rig{};
    std::vector<SimilarClips> clips{};             // at most max_listed_clips, the most similar first
    std::uint64_t shared_bytes = 0, all_bytes = 0; // of the files of both
};
inline constexpr std::size_t max_listed_clips = 20;
// Signatures that are compared, which the index has found. Further ones are left out, and the page says so.
inline constexpr std::size_t max_compared = 2'000;
struct SimilarPage {
    std::vector<SimilarAsset> items{};
    std::size_t next = 0;     // offset of the next page; 0: this is the last one
    std::size_t compared = 0; // signatures
    bool is_complete = true;
};
// Returns the assets that are like this one, those that are most like it first. An index names the few whose
// signatures are read. Empty optional: the import has not stored signatures. Precondition: not by picture.
std::optional<SimilarPage> find_similar(const Catalog& catalog, const AssetRecord& asset,
                                        const SimilarQuery& query);

} // namespace vitrine::server
