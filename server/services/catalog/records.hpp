#pragma once
// Records of the catalog as plain values.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/resources.hpp"
#include "server/util/clock.hpp"

namespace vitrine::server {

using api::AssetStatus;
using api::Counts;
using api::ImportProblem;
using api::JobStage;
using api::JobState;

inline constexpr std::size_t max_name_bytes = 255; // of an asset or a clip

inline constexpr std::size_t max_fact_bytes = 255; // of a license or an author
inline constexpr std::size_t max_url_bytes = 2000;
bool is_web_address(std::string_view text); // pages show it as a link

inline constexpr std::size_t max_asset_tags = 64;
inline constexpr std::size_t max_tag_bytes = 64;

// One file of a version: its name in the model, and its blob.
struct FileRecord {
    std::string name; // relative, normalized, '/' separated
    std::string blob;
    std::uint64_t size_bytes = 0;
    std::shared_ptr<const void> pin{}; // of an upload: BlobRef::pin, until the catalog references the blob
    // Of a request that is not kept: where its bytes are while `pin` exists; they are no blob. -1: in the
    // BlobStore.
    int descriptor = -1;
};

struct SceneChanges; // storage/scene_changes.hpp
struct PostedModel;  // storage/scene_store.hpp

// An asset as the API shows it, with what only the server uses.
struct AssetRecord : api::Asset {
    std::string source_hash;  // of the version's files, main name and up axis
    std::string user_clips;   // text format of api/user_clips.hpp; empty: no clips
    std::string content_hash; // of source_hash and user_clips, no column; key of all derived data
    // Of one request, no column; null: none. The hashes include them.
    std::shared_ptr<const SceneChanges> changes;
    // Of one request, no column: the model that the request itself holds, which is in no catalog and in no
    // cache; null: an asset.
    std::shared_ptr<const PostedModel> posted;

    // All columns; api/resources.hpp.
    template <class Self, class Visit>
    void visit_columns(this Self& self, Visit visit)
    {
        self.api::Asset::visit_columns(visit);
        self.api::ImportedMembers::visit_columns(visit);
        visit("v.source", "", self.source_hash);
        visit("v.user_clips", "", self.user_clips);
    }
};

// A change of an asset or a job, for subscribers.
struct Event {
    std::uint64_t id = 0; // ascending in the order of the commits, over all processes and restarts
    std::string type;     // "asset.created", "job", ... as api/README.md names them
    std::string data;     // JSON, one line
};

// Priorities of jobs. Their order as texts is that of their claims, the last one first.
inline constexpr std::string_view interactive_priority = "interactive";
inline constexpr std::string_view bulk_priority = "bulk";

struct JobRecord : api::Job {
    // Else it imports.
    bool is_refresh() const { return kind == "refresh"; }
};

// Large JSON documents of a version, written by the import.
enum class AssetDocument : std::uint8_t {
    skeleton,  // {"joints": [...]}, the response of GET .../skeleton
    clips,     // {"items": [...]}, the response of GET .../clips
    materials, // [...]
    warnings,  // [{code, message, where}]
    variants,  // ["name", ...] of the material variants
    bounds,    // {"static": {min, max}, "clips": [{"clip", "exact", "conservative"}]}
    rig,       // text of scene::RigSignature, no JSON; not shown
};

std::string_view to_string(AssetDocument document);

// What assets are compared by.
enum class SimilarityKind : std::uint8_t { mesh, rig, motion };
std::string_view to_string(SimilarityKind kind);

// A signature of a model (loaders/scene/similarity), or one of several buckets of it.
struct SimilarityKey {
    SimilarityKind kind = SimilarityKind::mesh;
    std::uint32_t part = 0; // of a motion its clip; otherwise a number
    std::int64_t bucket = 0;
    std::uint32_t described = 0; // the part whose row has the text
    std::string signature{};
};

// An asset that may be like another one.
struct SimilarRow {
    std::int64_t seq = 0; // order of creation
    std::string asset;    // id
    std::string name;
    std::uint32_t part = 0; // of the signature; of find_same_file() the version
    std::string signature;
};
struct SimilarRows {
    std::vector<SimilarRow> rows{};
    bool is_complete = true; // else there are more than the limit
};

// The rig of an asset.
struct RigRow {
    std::int64_t seq = 0; // order of creation
    std::string asset;    // id
    std::string name;
    std::string signature; // AssetDocument::rig
};

enum class JobKind : std::uint8_t { import, refresh };

// A place in the list of jobs.
struct JobPosition {
    Micros created = 0;
    std::string id;
};

// Which jobs a list shows.
struct JobQuery {
    std::optional<JobKind> kind{};
    std::optional<JobState> state{};
    std::string asset{};                // only its jobs
    Micros from = 0, to = 0;            // created at or after, before; 0: no limit
    std::optional<JobPosition> after{}; // only those that follow it in the list
    std::size_t limit = 50;             // clamped to 1..501
};

} // namespace vitrine::server
