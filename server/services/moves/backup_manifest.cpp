#include "server/services/moves/backup_manifest.hpp"

#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "server/util/error.hpp"
#include "server/util/files.hpp"
#include "server/util/sha256.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {
namespace {

constexpr std::string_view manifest_name = "backup.manifest", first_line = "vitrine backup 1";
constexpr std::size_t piece_bytes = 1 << 20;

[[noreturn]] void reject(const fs::path& file)
{
    throw StorageError(StorageError::Kind::failed,
                       fmt::format("{} is not a manifest that this version of Vitrine reads", file.native()));
}

} // namespace

std::optional<BackupManifest> read_manifest(const fs::path& folder)
{
    const auto path = folder / manifest_name;
    std::ifstream in(path);
    if (!in) return std::nullopt;
    std::string line;
    if (!std::getline(in, line) || line != first_line) reject(path);
    BackupManifest manifest;
    while (std::getline(in, line)) {
        std::istringstream words(line);
        std::string name;
        words >> name;
        if (name == "catalog") words >> manifest.catalog >> manifest.sha256;
        if (name == "assets") words >> manifest.assets;
        if (name == "blobs") words >> manifest.blobs >> manifest.bytes;
        if (!words) reject(path);
    }
    const bool is_name = manifest.catalog.starts_with("catalog-") && !manifest.catalog.contains('/');
    if (!manifest.catalog.empty() && (!is_name || !is_sha256(manifest.sha256))) reject(path);
    return manifest;
}

void write_manifest(const fs::path& folder, const BackupManifest& manifest)
{
    std::string text = fmt::format("{}\n", first_line);
    if (!manifest.catalog.empty())
        text += fmt::format("catalog {} {}\nassets {}\nblobs {} {}\n", manifest.catalog, manifest.sha256,
                            manifest.assets, manifest.blobs, manifest.bytes);
    const auto part = folder / "backup.manifest.part";
    fs::remove(part);
    auto file = OpenFile::create(part);
    file.write(std::as_bytes(std::span(text)), part);
    file.sync(part);
    rename_file(part, folder / manifest_name);
    sync_folder(folder);
}

std::optional<std::string> copy_hashed(const fs::path& from, const fs::path& to)
{
    const auto source = OpenFile::find(from);
    if (!source) return std::nullopt;
    fs::remove(to);
    auto target = OpenFile::create(to);
    fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write);
    Sha256 hash;
    std::uint64_t at = 0;
    for (auto bytes = source->read(at, piece_bytes, from); !bytes.empty();
         bytes = source->read(at, piece_bytes, from)) {
        hash.update(bytes);
        target.write(bytes, to);
        at += bytes.size();
    }
    target.sync(to);
    return hash.finish();
}

std::string hash_file(const fs::path& path)
{
    const auto file = OpenFile::find(path);
    if (!file) throw StorageError(StorageError::Kind::failed, "there is no file " + path.native());
    Sha256 hash;
    std::uint64_t at = 0;
    for (auto bytes = file->read(at, piece_bytes, path); !bytes.empty();
         bytes = file->read(at, piece_bytes, path)) {
        hash.update(bytes);
        at += bytes.size();
    }
    return hash.finish();
}

} // namespace vitrine::server
