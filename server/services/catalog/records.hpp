#pragma once
// Records of the catalog as plain values.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/util/clock.hpp"

namespace vitrine::server {

enum class AssetStatus : std::uint8_t { importing, ready, failed };
enum class JobState : std::uint8_t { queued, running, succeeded, failed, cancelled };
enum class JobStage : std::uint8_t { load, bounds, thumbnail, done };

struct ProblemRecord {
    std::string code;
    std::string where; // location in the main file, or a file name
    std::string detail;
};

// One file of a version: its name in the model, and its blob.
struct FileRecord {
    std::string name; // relative, normalized, '/' separated
    std::string blob;
    std::uint64_t size_bytes = 0;
    std::shared_ptr<const void> pin{}; // of an upload: BlobRef::pin, until the catalog references the blob
};

struct Counts {
    std::uint64_t meshes = 0;
    std::uint64_t vertices = 0; // as stored in the file
    std::uint64_t polygons = 0;
    std::uint64_t triangles = 0;
    std::uint64_t joints = 0;
    std::uint64_t clips = 0;
    std::uint64_t materials = 0;
    std::uint64_t images = 0;
};

// An asset with the data of its newest version.
struct AssetRecord {
    std::string id;
    std::string name;
    AssetStatus status = AssetStatus::importing;
    std::uint32_t version = 1;
    std::int64_t revision = 1; // incremented by every change; the etag contains it
    Micros created = 0;
    Micros updated = 0;
    Micros deleted = 0; // 0: not in the trash
    std::uint64_t size_bytes = 0;
    std::string main_file;
    std::string source; // content hash of the version (files, main name, user clips); key of all derived data
    std::string user_clips; // text format of services/catalog/user_clip_text.hpp; empty: no clips
    std::string job;        // id of the newest import
    std::optional<ProblemRecord> problem;
    // The members below are set by the import (format is empty before).
    std::string format;
    std::string generator;
    Counts counts;
    std::string summary; // JSON object: bounds, fileSpace, clips (the first 64), warnings (count); empty
                         // before the import
    bool has_thumbnail = false;

    std::string etag() const; // strong entity tag with quotes
};

struct JobRecord {
    std::string id;
    std::string kind = "import";
    std::string asset;
    std::uint32_t version = 1;
    JobState state = JobState::queued;
    JobStage stage = JobStage::load;
    double progress = 0.0;
    std::uint32_t attempts = 0;
    std::optional<ProblemRecord> problem;
    Micros created = 0;
    Micros started = 0;
    Micros finished = 0;
};

// Large JSON documents of a version, written by the import.
enum class AssetDocument : std::uint8_t {
    skeleton,  // {"joints": [...]}, the response of GET .../skeleton
    clips,     // {"items": [...]}, the response of GET .../clips
    materials, // [...]
    warnings,  // [{code, message, where}]
    variants,  // ["name", ...] of the material variants
    bounds,    // {"static": {min, max}, "clips": [{"clip", "exact", "conservative"}]}
};

std::string_view to_string(AssetStatus status);
std::string_view to_string(JobState state);
std::string_view to_string(JobStage stage);
std::string_view to_string(AssetDocument fact);
std::optional<AssetStatus> find_asset_status(std::string_view name);
std::optional<JobState> find_job_state(std::string_view name);
std::optional<JobStage> find_job_stage(std::string_view name);

} // namespace vitrine::server
