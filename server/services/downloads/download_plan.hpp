#pragma once
// What an archive of several assets has. Blocking; any thread. Throws StorageError.

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/catalog/catalog.hpp"
#include "server/services/storage/blob_store.hpp"

namespace vitrine::server {

inline constexpr std::size_t max_download_assets = 10'000;
inline constexpr std::size_t max_download_files = 200'000;

// What an archive has of each asset.
enum class DownloadContent : std::uint8_t { originals, exports, both };

// A file of an asset, or the asset exported as one GLB.
struct DownloadMember {
    std::string name;             // in the archive
    std::string blob;             // empty: the export
    std::uint64_t size_bytes = 0; // of the blob; that of an export is known when it was made
    std::int64_t seconds = 0;     // since 1970: when the asset was changed
    std::string asset{};          // id, of an export
    std::uint32_t version = 0;    // likewise
};

// The member that lists the exports that could not be made. No folder has its name.
inline constexpr std::string_view export_report_name = "not exported.txt";

// Names of folders, one for each asset: its name without what folders cannot have on any system, with " (2)"
// and so on where another one has it, ASCII letters without case.
class FolderNames {
public:
    // `extension`: ".glb": at the end, after the number.
    std::string add(std::string_view asset_name, std::string_view extension = {});
    void reserve(std::string_view name); // that another one has

private:
    std::set<std::string, std::less<>> known_; // lower case
};

// The original files of the assets, exports, or both, in the version that requests read, each asset in a
// folder of its own. Errors: not_found ("no_asset", "asset_in_trash"; "blob_missing", for files of this
// machine), too_large.
Result<std::vector<DownloadMember>> plan_download(const Catalog& catalog, const BlobStore& blobs,
                                                  std::span<const std::string> assets,
                                                  DownloadContent content = DownloadContent::originals);
// The ids of the assets of a collection. Errors: too_large.
Result<std::vector<std::string>> assets_of_collection(const Catalog& catalog, const std::string& collection,
                                                      bool with_descendants);

} // namespace vitrine::server
