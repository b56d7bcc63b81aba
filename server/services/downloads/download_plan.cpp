#include "server/services/downloads/download_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/base/utf8.hpp"
#include "loaders/io/resource_name.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_folder_bytes = 120;

// What Windows does not allow is replaced too, and dots and spaces at the end are removed.
std::string folder_name(std::string_view name)
{
    std::string folder;
    for (const char c : name) {
        const bool is_allowed = static_cast<unsigned char>(c) >= 0x20 && c != 0x7f &&
                                std::string_view(R"(/\:*?"<>|)").find(c) == std::string_view::npos;
        folder += is_allowed ? c : '_';
    }
    folder = truncate_utf8(folder, max_folder_bytes);
    while (!folder.empty() && (folder.back() == '.' || folder.back() == ' '))
        folder.pop_back();
    if (folder.empty()) return "model";
    return folder;
}

std::unexpected<ServiceError> too_many(std::string_view what, std::size_t most)
{
    return make_error(Errc::too_large, "limit_exceeded",
                      fmt::format("A download may have at most {} {}.", most, what));
}

Result<AssetRecord> find_outside_trash(const Catalog& catalog, const std::string& id)
{
    auto asset = catalog.find_asset(id);
    if (asset && asset->deleted != 0)
        return make_error(Errc::not_found, "asset_in_trash",
                          fmt::format("The asset {} is in the trash.", id));
    return asset;
}

// Names at the top of the folder become known to `names`.
Result<void> add_files(const Catalog& catalog, const BlobStore& blobs, const AssetRecord& asset,
                       const std::string& folder, FolderNames& names, std::vector<DownloadMember>& members)
{
    for (const auto& file : catalog.files(asset.id, asset.version)) {
        const auto name = io::normalize_name(file.name); // as stored: no ".."
        if (!name) continue;
        // An object store is asked when the file's turn comes.
        if (!blobs.is_shared())
            if (const auto found = blobs.check(file.blob); !found) return std::unexpected(found.error());
        if (members.size() == max_download_files) return too_many("files", max_download_files);
        names.reserve(*name);
        members.push_back({.name = fmt::format("{}/{}", folder, *name),
                           .blob = file.blob,
                           .size_bytes = file.size_bytes,
                           .seconds = asset.updated / 1'000'000});
    }
    return {};
}

DownloadMember export_of(const AssetRecord& asset, const std::string& folder, FolderNames& names)
{
    return {.name = fmt::format("{}/{}", folder, names.add(folder, ".glb")),
            .blob = {},
            .seconds = asset.updated / 1'000'000,
            .asset = asset.id,
            .version = asset.version};
}

} // namespace

std::string FolderNames::add(std::string_view asset_name, std::string_view extension)
{
    const auto name = folder_name(asset_name);
    auto unique = fmt::format("{}{}", name, extension);
    for (std::size_t number = 2; !known_.insert(ascii::lower(unique)).second; ++number)
        unique = fmt::format("{} ({}){}", name, number, extension);
    return unique;
}

void FolderNames::reserve(std::string_view name)
{
    known_.insert(ascii::lower(name));
}

Result<std::vector<DownloadMember>> plan_download(const Catalog& catalog, const BlobStore& blobs,
                                                  std::span<const std::string> assets,
                                                  DownloadContent content)
{
    if (assets.size() > max_download_assets) return too_many("assets", max_download_assets);
    std::vector<DownloadMember> members;
    FolderNames folders;
    if (content != DownloadContent::originals) folders.add(export_report_name);
    std::set<std::string_view> ids;
    for (const auto& id : assets) {
        if (!ids.insert(id).second) continue;
        const auto asset = find_outside_trash(catalog, id);
        if (!asset) return std::unexpected(asset.error());
        const auto folder = folders.add(asset->name);
        FolderNames names; // of the folder
        if (content != DownloadContent::exports)
            if (auto added = add_files(catalog, blobs, *asset, folder, names, members); !added)
                return std::unexpected(added.error());
        if (content != DownloadContent::originals) members.push_back(export_of(*asset, folder, names));
        if (members.size() > max_download_files) return too_many("files", max_download_files);
    }
    members.shrink_to_fit();
    return members;
}

Result<std::vector<std::string>> assets_of_collection(const Catalog& catalog, const std::string& collection,
                                                      bool with_descendants)
{
    std::vector<std::string> ids;
    ListQuery query;
    query.collection = collection;
    query.with_descendants = with_descendants;
    query.limit = 500;
    do {
        const auto page = catalog.list_assets(query);
        if (!page) return std::unexpected(page.error());
        for (const auto& asset : page->items)
            ids.push_back(asset.id);
        if (ids.size() > max_download_assets) return too_many("assets", max_download_assets);
        query.cursor = page->next;
    } while (!query.cursor.empty());
    return ids;
}

} // namespace vitrine::server
