#include "server/services/importing/upload_ingest.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <span>

#include <fmt/format.h>

#include "loaders/base/stop.hpp"
#include "loaders/io/resource_name.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/importing/asset_grouping.hpp"
#include "server/util/files.hpp"
#include "server/util/zip_name.hpp"

namespace vitrine::server {

std::unexpected<ServiceError> too_many_in_upload(std::string_view what, std::size_t limit)
{
    return make_error(Errc::too_large, "limit_exceeded",
                      fmt::format("an upload must have at most {} {}", limit, what));
}

namespace {

// Returns the files sorted by name. Two files of one name with different bytes are rejected, because
// references to them would be ambiguous.
Result<std::vector<FileRecord>> merge_duplicate_files(std::vector<FileRecord> parts)
{
    std::map<std::string, FileRecord> by_name;
    for (auto& part : parts) {
        auto name = sanitize_upload_name(part.name);
        if (name.empty())
            return std::unexpected(ServiceError{Errc::unprocessable, "bad_name", part.name,
                                                "the name is not a relative path inside the upload"});
        part.name = name;
        const auto [at, added] = by_name.emplace(std::move(name), part);
        if (!added && at->second.blob != part.blob)
            return std::unexpected(ServiceError{Errc::unprocessable, "duplicate_name", part.name,
                                                "two files of the upload have this name"});
    }
    std::vector<FileRecord> files;
    for (auto& [name, file] : by_name)
        files.push_back(std::move(file));
    return files;
}

void add_ignored(const std::vector<FileRecord>& files, const std::vector<NewAsset>& assets,
                 std::vector<IgnoredFile>& ignored)
{
    std::set<std::string_view> used;
    for (const auto& asset : assets)
        for (const auto* list : {&asset.files, &asset.attached})
            for (const auto& file : *list)
                used.insert(file.name);
    for (const auto& file : files)
        if (!used.contains(file.name)) ignored.push_back({file.name, "of_no_model"});
}

// The model with this main file, or else the only one whose main file has its last name; `end`: none.
std::vector<NewAsset>::iterator find_next_version(std::vector<NewAsset>& models, const std::string& main_file)
{
    if (models.size() == 1) return models.begin();
    const auto same = std::ranges::find(models, main_file, &NewAsset::main_file);
    if (same != models.end()) return same;
    const auto is_named_alike = [&](const NewAsset& model) {
        return io::base_name(model.main_file) == io::base_name(main_file);
    };
    if (std::ranges::count_if(models, is_named_alike) != 1) return models.end();
    return std::ranges::find_if(models, is_named_alike);
}

void add_other_models(const std::vector<NewAsset>& models, const NewAsset& chosen,
                      std::vector<IgnoredFile>& ignored)
{
    std::set<std::string> left_out;
    for (const auto& model : models)
        for (const auto* list : {&model.files, &model.attached})
            for (const auto& file : *list)
                left_out.insert(file.name);
    for (const auto* list : {&chosen.files, &chosen.attached})
        for (const auto& file : *list)
            left_out.erase(file.name);
    for (const auto& name : left_out)
        ignored.push_back({name, "of_another_model"});
}

// Returns the blobs that the catalog will refer to, each once.
std::vector<std::string> blobs_of(const std::vector<NewAsset>& assets)
{
    std::set<std::string> hashes;
    for (const auto& asset : assets)
        for (const auto& file : asset.files)
            hashes.insert(file.blob);
    return {hashes.begin(), hashes.end()};
}

} // namespace

std::string sanitize_upload_name(std::string_view name)
{
    return io::normalize_name(name).value_or(std::string());
}

Result<void> ArrivingModels::add(std::string_view name)
{
    auto sanitized = sanitize_upload_name(name);
    if (!worker::is_always_model(sanitized)) return {};
    names_.insert(std::move(sanitized));
    if (names_.size() > limit_) return too_many_in_upload("models", limit_);
    return {};
}

Ingest::Ingest(Catalog& catalog, BlobStore& blobs, IngestLoader loader, std::filesystem::path scratch,
               const IngestLimits& limits, StorageQuota* quota)
    : catalog_(catalog), blobs_(blobs), loader_(std::move(loader)), scratch_(std::move(scratch)),
      limits_(limits), quota_(quota)
{
}

std::vector<worker::ModelGroup> Ingest::find_models(const std::vector<FileRecord>& files)
{
    std::vector<worker::BundleFile> bundle;
    std::vector<LocalBlob> in_use;
    for (const auto& file : files) {
        check_stop();
        if (file.descriptor >= 0) {
            bundle.push_back({file.name, {}, file.descriptor});
            continue;
        }
        in_use.push_back(blobs_.find_local(file.blob).value_or(LocalBlob{}));
        bundle.push_back({file.name, in_use.back().path, in_use.back().descriptor});
    }
    return loader_.find_models(bundle);
}

Result<std::vector<NewAsset>> Ingest::find_assets(std::vector<FileRecord> parts,
                                                  std::vector<IgnoredFile>* ignored, BlobFactory* memory)
{
    if (parts.size() > limits_.max_files) return too_many_in_upload("files", limits_.max_files);
    auto files = unpack_zips(std::move(parts), ignored, memory);
    if (files) files = merge_duplicate_files(std::move(*files));
    if (!files) return std::unexpected(files.error());
    if (files->size() > limits_.max_files) return too_many_in_upload("files", limits_.max_files);
    const auto models = find_models(*files);
    if (models.empty())
        return make_error(Errc::unprocessable, "no_model",
                          files->size() == 1 ? "the file is not a model of a supported format"
                                             : fmt::format("none of the {} files is a model", files->size()));
    if (models.size() > limits_.max_models) return too_many_in_upload("models", limits_.max_models);
    auto assets = make_new_assets(*files, models);
    if (ignored != nullptr) add_ignored(*files, assets, *ignored);
    return assets;
}

Result<void> Ingest::check_queue() const
{
    if (catalog_.queued_jobs() < limits_.max_queued) return {};
    return make_error(Errc::busy, "import_queue_full", "too many imports are waiting", 30);
}

template <class Create>
auto Ingest::store(const std::vector<NewAsset>& assets, const std::string& version_of,
                   StorageQuota::Reservation* room, const Create& create) -> decltype(create())
{
    auto made = room == nullptr && quota_ != nullptr ? quota_->reserve(acting_principal(), 0)
                                                     : StorageQuota::Reservation();
    if (!made) return std::unexpected(made.error());
    auto& reserved = room != nullptr ? *room : *made;
    if (auto admitted = reserved.admit(assets, version_of); !admitted)
        return std::unexpected(admitted.error());
    blobs_.make_durable(blobs_of(assets));
    auto created = create();
    if (created) reserved.settle();
    return created;
}

Result<CreatedVersion> Ingest::ingest_version(const std::string& id, NewVersion request,
                                              std::vector<FileRecord> parts,
                                              std::vector<IgnoredFile>* ignored,
                                              StorageQuota::Reservation* room)
{
    if (auto queue = check_queue(); !queue) return std::unexpected(queue.error());
    const auto asset = catalog_.find_asset(id);
    if (!asset) return std::unexpected(asset.error());
    auto models = find_assets(std::move(parts), ignored);
    if (!models) return std::unexpected(models.error());
    const auto chosen = find_next_version(*models, asset->main_file);
    if (chosen == models->end())
        return make_error(Errc::unprocessable, "several_models",
                          fmt::format("the upload has {} models; a version is one, and none of them is {}",
                                      models->size(), io::base_name(asset->main_file)));
    if (ignored != nullptr) add_other_models(*models, *chosen, *ignored);
    request.content = std::move(*chosen);
    return store({request.content}, id, room, [&] { return catalog_.create_version(id, request); });
}

Result<std::vector<Created>> Ingest::ingest(std::vector<FileRecord> parts, std::vector<IgnoredFile>* ignored,
                                            const CreateAssets& create, StorageQuota::Reservation* room)
{
    if (auto queue = check_queue(); !queue) return std::unexpected(queue.error());
    const auto assets = find_assets(std::move(parts), ignored);
    if (!assets) return std::unexpected(assets.error());
    return store(*assets, {}, room, [&] {
        return create ? create(*assets) : Result<std::vector<Created>>(catalog_.create_assets(*assets));
    });
}

} // namespace vitrine::server
