#pragma once
// The two parts of a scan. The first compares the files of a library's folder with its index and hashes those
// that are new or have changed; it reads no file whose size, time and inode are those of the index. In the
// second the assets of the library become those of its files. Any thread, blocking. Throws StorageError.

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/catalog/catalog.hpp"
#include "server/services/importing/upload_ingest.hpp"
#include "server/services/libraries/library.hpp"
#include "server/services/libraries/library_index.hpp"

namespace vitrine::server {

// Whether the scan goes on, with the number of files that it still has to hash. Called often.
using ScanGoesOn = std::function<bool(std::int64_t waiting)>;

struct FileScan {
    LibraryState state = LibraryState::ready; // or unavailable
    std::string problem{};
    bool is_interrupted = false;        // `goes_on` was false
    std::int64_t skipped = 0;           // as of Library
    std::int64_t unfinished = 0;        // files that are being written: a scan a moment later indexes them
    std::int64_t hashed = 0;            // files
    std::vector<std::string> folders{}; // all of the library, ascending
};

// Files whose time is closer to the present are being written.
inline constexpr std::int64_t settle_ms = 2'000;

FileScan scan_files(const Library& library, const LibraryIndex& index, const ScanGoesOn& goes_on);

// Models that are grouped together with the files that they may name. Names of files in the model are
// relative to `base`, a folder.
struct FolderBundle {
    std::string base;
    std::vector<LibraryFile> files;
};

// Of the models in `folder` itself; several, each with some of the models, if it has very many files. Files
// above a limit are left out: of a bundle, companions; of folders below, all.
std::vector<FolderBundle> bundle_folder(const LibraryIndex& index, const std::string& folder);

// Whether files of a folder with this name are companions of models in the folders beside it.
bool is_companion_folder(std::string_view name);

std::string parent_of(const std::string& folder); // of a folder that is not the library's own

// A model's companions are the files of its folder, of the folders below it that have no models, and of
// folders such as "textures" beside it.
class LibraryAssets {
public:
    // All outlive it. `ingest` finds the models, and reads them as blobs.
    LibraryAssets(Catalog& catalog, Ingest& ingest, BlobStore& stored, const LibraryIndex& index);

    // Goes on where the last call was interrupted. Waits while many imports are queued. Returns false if
    // `goes_on` was false.
    bool update(const ScanGoesOn& goes_on);
    // Models that have no asset because of an error.
    std::int64_t failed() const { return failed_; }
    // A scan a little later does what imports that run now do not let it do.
    bool has_delayed() const { return !delayed_.empty(); }

private:
    bool wait_for_queue(const ScanGoesOn& goes_on) const;
    bool update_folder(const std::string& folder, const ScanGoesOn& goes_on);
    void update_models(const std::vector<LibraryFile>& files, const std::string& base);
    void update_model(const LibraryFile& main, NewAsset model);
    void make_asset(const LibraryFile& main, NewAsset model);
    void change_content(const LibraryFile& main, const AssetRecord& asset, const NewAsset& model);
    bool has_content(const AssetRecord& asset, const NewAsset& model) const;
    void rename_with_file(const AssetRecord& asset, const NewAsset& model);
    void trash_missing(const LibraryFile& file);
    std::vector<std::string> model_folders_of(const std::string& folder);
    bool has_models(const std::string& folder);

    Catalog& catalog_;
    Ingest& ingest_;
    BlobStore& stored_;
    const LibraryIndex& index_;
    std::int64_t failed_ = 0;
    std::set<std::string> delayed_;         // folders
    std::set<std::string> updated_;         // folders
    std::map<std::string, bool> models_in_; // folders
};

} // namespace vitrine::server
