#pragma once
// Turns the parts of an upload, which are stored as blobs, into assets with queued imports. The loader
// process unpacks zips first. Every model becomes an asset, except files with only animation, which are added
// to their characters; each asset gets every file of the upload that does not clearly belong to another
// model. Any thread, blocking. Throws StorageError, and Stopped (loaders/base/stop.hpp).

#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/worker/client/client.hpp"
#include "server/services/catalog/catalog.hpp"
#include "server/services/storage/blob_store.hpp"
#include "server/services/uploads/storage_quota.hpp"
#include "server/util/upload_limits.hpp"

namespace vitrine::server {

struct IngestLimits {
    std::size_t max_files = max_upload_files; // of one upload, after unpacking
    std::size_t max_models = 1'000;           // assets per upload
    std::size_t max_queued = 10'000;          // waiting imports; above: busy
};

// A file of an upload that no asset has.
struct IgnoredFile {
    std::string name;
    std::string reason; // a word of the contract
};

// Makes an uploaded name safe: relative, '/' separated, no "..", no scheme, no drive. Empty if nothing
// remains.
std::string sanitize_upload_name(std::string_view name);

// Functions of the loader process that uploads need.
struct IngestLoader {
    std::function<LoadResult<std::vector<worker::BundleFile>>(const std::filesystem::path& zip,
                                                              const std::filesystem::path& folder)>
        unpack;
    std::function<std::vector<worker::ModelGroup>(const std::vector<worker::BundleFile>&)> find_models;
    std::function<LoadResult<void>(const worker::BundleFile& zip, const worker::UnpackSink& sink)>
        unpack_to_sink; // of files in memory
};

// Finds uploads with too many models from the names of their files as they arrive. Models that only other
// files or their content tell are counted by Ingest::ingest().
class ArrivingModels {
public:
    explicit ArrivingModels(std::size_t limit) : limit_(limit) {}
    // `name` as sent. Errors: too_large.
    Result<void> add(std::string_view name);

private:
    std::size_t limit_;
    std::set<std::string> names_; // sanitized; of files that are always models
};

class Ingest {
public:
    Ingest(Catalog& catalog, BlobStore& blobs, IngestLoader loader, std::filesystem::path scratch,
           const IngestLimits& limits, StorageQuota* quota = nullptr); // null: no limit

    // Makes assets of models, as Catalog::create_assets() does.
    using CreateAssets = std::function<Result<std::vector<Created>>(std::span<const NewAsset>)>;
    // Returns one Created per model. Durable when it returns. All `existing`: the content was known (200, not
    // 201). Errors: unprocessable ("no_model", "bad_name", or a rejected zip), too_large, busy
    // ("import_queue_full").
    // Adds to `ignored`, if it is not null. `create`: instead of the catalog's, whose errors it adds. `room`:
    // what the quota has reserved for the upload; null: nothing yet.
    Result<std::vector<Created>> ingest(std::vector<FileRecord> parts,
                                        std::vector<IgnoredFile>* ignored = nullptr,
                                        const CreateAssets& create = {},
                                        StorageQuota::Reservation* room = nullptr);
    // As ingest(), of a new version of the asset `id` with `request`, whose content is ignored: the model of
    // the upload; of several the one whose main file has the name of the asset's. Errors: also not_found,
    // precondition_failed and unprocessable ("several_models").
    Result<CreatedVersion> ingest_version(const std::string& id, NewVersion request,
                                          std::vector<FileRecord> parts,
                                          std::vector<IgnoredFile>* ignored = nullptr,
                                          StorageQuota::Reservation* room = nullptr);
    // The models of an upload, as ingest() makes assets of them, without a catalog. Files of zips become
    // blobs, or with `memory` files in it. Errors: as ingest(), without busy.
    Result<std::vector<NewAsset>> find_assets(std::vector<FileRecord> parts,
                                              std::vector<IgnoredFile>* ignored = nullptr,
                                              BlobFactory* memory = nullptr);
    // For the names of one upload.
    ArrivingModels arriving_models() const { return ArrivingModels(limits_.max_models); }

private:
    Result<void> check_queue() const;
    // Calls `create(assets)` when their files are durable, and the quota has room for them. `version_of`: as
    // of Reservation::admit().
    template <class Create>
    auto store(const std::vector<NewAsset>& assets, const std::string& version_of,
               StorageQuota::Reservation* room, const Create& create) -> decltype(create());
    Result<std::vector<FileRecord>> unpack_zips(std::vector<FileRecord> parts,
                                                std::vector<IgnoredFile>* ignored, BlobFactory* memory);
    LoadResult<std::vector<worker::BundleFile>> write_out(const std::filesystem::path& zip,
                                                          const std::filesystem::path& folder);
    Result<std::vector<FileRecord>> unpack_zip(const FileRecord& zip, const std::string& prefix,
                                               std::vector<IgnoredFile>* ignored);
    Result<std::vector<FileRecord>> unpack_in_memory(const FileRecord& zip, const std::string& prefix,
                                                     BlobFactory& memory);
    std::vector<worker::ModelGroup> find_models(const std::vector<FileRecord>& files);

    Catalog& catalog_;
    BlobStore& blobs_;
    IngestLoader loader_;
    std::filesystem::path scratch_;
    IngestLimits limits_;
    StorageQuota* quota_;
};

// The error of an upload that has more than `limit` of what it names.
std::unexpected<ServiceError> too_many_in_upload(std::string_view what, std::size_t limit);

} // namespace vitrine::server
