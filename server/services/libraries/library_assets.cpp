// The second part of a scan: assets.

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include <spdlog/spdlog.h>

#include "loaders/io/resource_name.hpp"
#include "server/services/libraries/library_scan.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_queued_imports = 1'000; // more wait, so that uploads find room in the queue
constexpr std::chrono::milliseconds queue_interval{250};
constexpr std::size_t rows_of_page = 512;

std::string name_below(const std::string& base, const std::string& path)
{
    return base.empty() ? path : path.substr(base.size() + 1);
}

// What the versions of a model differ by: its files, whatever the name of the main one is.
std::vector<std::pair<std::string, std::string>> contents_of(const std::vector<FileRecord>& files,
                                                             const std::string& main)
{
    std::vector<std::pair<std::string, std::string>> contents;
    for (const auto& file : files)
        contents.emplace_back(file.name == main ? std::string() : file.name, file.blob);
    std::ranges::sort(contents);
    return contents;
}

// Of the main file of the newest version.
std::optional<std::string> newest_main_blob(const Catalog& catalog, const std::string& asset)
{
    const auto versions = catalog.versions(asset);
    if (versions.empty()) return std::nullopt;
    const auto newest = catalog.find_version(asset, versions.front().number);
    if (!newest) return std::nullopt;
    const auto files = catalog.files(asset, newest->version);
    const auto main = std::ranges::find(files, newest->main_file, &FileRecord::name);
    if (main == files.end()) return std::nullopt;
    return main->blob;
}

} // namespace

LibraryAssets::LibraryAssets(Catalog& catalog, Ingest& ingest, BlobStore& stored, const LibraryIndex& index)
    : catalog_(catalog), ingest_(ingest), stored_(stored), index_(index)
{
}

bool LibraryAssets::update(const ScanGoesOn& goes_on)
{
    for (auto page = index_.pending(rows_of_page); !page.empty(); page = index_.pending(rows_of_page)) {
        for (const auto& file : page)
            for (const auto& folder : model_folders_of(file.key.folder))
                if (!update_folder(folder, goes_on)) return false;
        for (const auto& file : page)
            if (file.key.gone > 0) trash_missing(file);
        for (const auto& file : page)
            if (!file.asset.empty()) catalog_.update_library(file.asset);
        index_.settle(page);
        if (!goes_on(0)) return false;
    }
    for (const auto& folder : delayed_)
        index_.mark_pending(folder);
    index_.forget_purged();
    return true;
}

bool LibraryAssets::wait_for_queue(const ScanGoesOn& goes_on) const
{
    while (catalog_.queued_jobs() >= max_queued_imports) {
        if (!goes_on(0)) return false;
        std::this_thread::sleep_for(queue_interval);
    }
    return goes_on(0);
}

bool LibraryAssets::has_models(const std::string& folder)
{
    const auto known = models_in_.find(folder);
    if (known != models_in_.end()) return known->second;
    return models_in_[folder] = index_.has_models(folder);
}

// The folders whose models may name files of this one.
std::vector<std::string> LibraryAssets::model_folders_of(const std::string& folder)
{
    std::vector<std::string> folders;
    auto above = folder;
    while (!above.empty() && !has_models(above))
        above = parent_of(above);
    if (has_models(above)) folders.push_back(above);
    if (folder.empty() || !is_companion_folder(io::base_name(folder))) return folders;
    const auto parent = parent_of(folder);
    for (const auto& [path, has_models] : index_.folders_below(parent, 10'000))
        if (has_models && parent_of(path) == parent) folders.push_back(path);
    return folders;
}

bool LibraryAssets::update_folder(const std::string& folder, const ScanGoesOn& goes_on)
{
    if (!updated_.insert(folder).second) return true;
    if (!wait_for_queue(goes_on)) return false;
    for (const auto& [base, files] : bundle_folder(index_, folder)) {
        if (!goes_on(0)) return false;
        update_models(files, base);
    }
    return true;
}

void LibraryAssets::update_models(const std::vector<LibraryFile>& files, const std::string& base)
{
    std::map<std::string, const LibraryFile*> by_name;
    std::vector<FileRecord> parts;
    for (const auto& file : files) {
        const auto name = name_below(base, file.path());
        if (by_name.emplace(name, &file).second) parts.push_back({name, file.sha256, file.size_bytes});
    }
    auto models = ingest_.find_assets(std::move(parts));
    if (!models) {
        failed_ += models.error().code == "no_model" ? 0 : 1;
        if (models.error().code != "no_model")
            spdlog::warn("msg=\"no assets of a folder of a library\" folder={:?} error={:?}", base,
                         models.error().detail);
        return;
    }
    for (auto& model : *models)
        if (const auto main = by_name.find(model.main_file); main != by_name.end())
            update_model(*main->second, std::move(model));
}

void LibraryAssets::update_model(const LibraryFile& main, NewAsset model)
{
    if (main.asset.empty()) return make_asset(main, std::move(model));
    const auto asset = catalog_.find_asset(main.asset);
    if (!asset) return make_asset(main, std::move(model));
    if (asset->deleted != 0) {
        if (!main.is_trashed) return; // somebody has removed it
        if (!catalog_.restore_asset(asset->id)) return;
    }
    if (!has_content(*asset, model)) change_content(main, *asset, model);
    if (asset->name == main.title && model.name != main.title) {
        AssetChange change;
        change.name = model.name;
        static_cast<void>(catalog_.change_asset(asset->id, change));
    }
    const bool was_named = asset->name == main.title;
    if (main.is_trashed || (was_named && model.name != main.title))
        index_.set_asset(main.key, asset->id, was_named ? model.name : main.title);
}

// Also after a purge, if the file has changed since; files that have not are not looked at.
void LibraryAssets::make_asset(const LibraryFile& main, NewAsset model)
{
    model.library = index_.library();
    const auto created = catalog_.create_assets(std::span(&model, 1), bulk_priority);
    for (const auto& made : created) {
        index_.set_asset(main.key, made.asset.id, model.name);
        catalog_.update_library(made.asset.id); // another process may have named its own library
    }
}

bool LibraryAssets::has_content(const AssetRecord& asset, const NewAsset& model) const
{
    const auto versions = catalog_.versions(asset.id);
    if (versions.empty()) return false;
    const auto newest = catalog_.find_version(asset.id, versions.front().number);
    if (!newest) return false;
    auto files = model.files;
    files.insert(files.end(), model.attached.begin(), model.attached.end());
    return contents_of(catalog_.files(asset.id, newest->version), newest->main_file) ==
           contents_of(files, model.main_file);
}

void LibraryAssets::change_content(const LibraryFile& main, const AssetRecord& asset, const NewAsset& model)
{
    NewVersion request;
    request.content = model;
    const auto created = catalog_.create_version(asset.id, request);
    if (!created) {
        ++failed_;
        spdlog::warn("msg=\"no version of a file of a library\" asset={} file={:?} error={:?}", asset.id,
                     main.path(), created.error().detail);
    } else if (created->existing && !catalog_.restore_version(asset.id, created->version.number))
        delayed_.insert(main.key.folder); // that version or a newer one is being imported
}

// A copy of the file, in any library or in the store, keeps the asset, and so does a newer version that was
// uploaded.
void LibraryAssets::trash_missing(const LibraryFile& file)
{
    if (file.asset.empty() || index_.shows(file.asset) || stored_.stores(file.sha256)) return;
    const auto asset = catalog_.find_asset(file.asset);
    if (!asset || asset->deleted != 0) return;
    if (const auto main = newest_main_blob(catalog_, asset->id); main && stored_.stores(*main)) return;
    index_.set_trashed(file.key); // first: after a crash in between, the asset is only not in the trash yet
    static_cast<void>(catalog_.trash_asset(file.asset));
}

} // namespace vitrine::server
