#include "server/services/moves/backup.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "server/services/moves/backup_manifest.hpp"
#include "server/services/schema/schema.hpp"
#include "server/util/data_lock.hpp"
#include "server/util/files.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {
namespace {

constexpr unsigned max_snapshots = 4; // while the server removes blobs that the last one names
constexpr std::string_view snapshot_name = "catalog.part", token_name = "token";

[[noreturn]] void reject_backup(const std::string& sentence)
{
    throw MoveError(StorageError::Kind::failed, sentence);
}

bool is_inside(const fs::path& folder, const fs::path& parent)
{
    const auto name = fs::weakly_canonical(folder).lexically_relative(fs::weakly_canonical(parent));
    return !name.empty() && *name.begin() != "..";
}

void remove_catalog(const fs::path& file)
{
    for (const auto* const end : {"", "-wal", "-shm", "-journal"})
        fs::remove(fs::path(file.native() + end));
}

// Makes the folder of a backup, or accepts that of an earlier one.
void prepare_target(const fs::path& data, const fs::path& catalog, const fs::path& target)
{
    if (!fs::is_regular_file(catalog))
        reject_backup(fmt::format(
            "there is no catalog {} (a catalog in PostgreSQL is backed up with pg_dump)", catalog.native()));
    if (fs::exists(target) && !fs::is_directory(target))
        reject_backup(fmt::format("{} is not a folder", target.native()));
    if (is_inside(target, data) || is_inside(data, target))
        reject_backup(fmt::format("{} and {} are in each other", target.native(), data.native()));
    make_folders(target);
    if (read_manifest(target)) return;
    if (!fs::is_empty(target))
        reject_backup(fmt::format("{} has other files and no backup", target.native()));
    write_manifest(target, {});
}

// Their pieces are not among the blobs of the backup.
void remove_open_uploads(MoveEnd& copy)
{
    for (const auto* const table : {"upload_parts", "open_uploads"})
        if (copy.has_table(table))
            copy.sql() << fmt::format("DELETE FROM {}", table); // absent before schema 17
}

// Copies the catalog as it is at one moment. Returns the blobs that it names.
std::vector<NamedBlob> take_snapshot(const fs::path& source, const fs::path& target, std::uint64_t& assets)
{
    const auto file = target / snapshot_name;
    remove_catalog(file);
    MoveEnd catalog(source);
    auto name = file.native();
    for (auto at = name.find('\''); at != name.npos; at = name.find('\'', at + 2))
        name.insert(at, "'");
    catalog.run([&] { catalog.sql() << fmt::format("VACUUM INTO '{}'", name); });
    MoveEnd copy(file);
    copy.run([&] {
        assets = copy.count("assets");
        remove_open_uploads(copy);
    });
    return list_named_blobs(copy);
}

void remove_old_catalogs(const fs::path& folder, const std::string& kept)
{
    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(folder))
        if (const auto name = entry.path().filename().string();
            name.starts_with("catalog-") && name.ends_with(".sqlite") && name != kept)
            old.push_back(entry.path());
    for (const auto& file : old)
        fs::remove(file);
}

// An unfinished restore, or nothing, apart from the lock.
void check_empty(const fs::path& data, const fs::path& mark)
{
    if (fs::exists(mark)) return;
    for (const auto& entry : fs::directory_iterator(data))
        if (entry.path().filename() != "lock")
            reject_backup(fmt::format("{} is not empty ({}); a backup is restored to an empty folder",
                                      data.native(), entry.path().filename().string()));
    OpenFile::create(mark).sync(mark);
}

// The one of the last backup stays until the new one is whole.
void copy_token(const fs::path& data, const fs::path& target)
{
    const auto part = target / "token.part";
    if (copy_hashed(data / token_name, part)) rename_file(part, target / token_name);
}

// Copies the catalog of the backup and returns the blobs that it names.
std::vector<NamedBlob> restore_catalog(const fs::path& backup, const BackupManifest& manifest,
                                       const fs::path& file)
{
    remove_catalog(file);
    if (copy_hashed(backup / manifest.catalog, file) != manifest.sha256)
        reject_backup(fmt::format("{} is missing or damaged: its checksum is not that of the manifest",
                                  (backup / manifest.catalog).native()));
    MoveEnd copy(file);
    long long version = 0;
    copy.run([&] { copy.sql() << "SELECT COALESCE(MAX(number), 0) FROM migrations", soci::into(version); });
    if (version > static_cast<long long>(migrations(copy.sql().dialect).size()))
        reject_backup(fmt::format("the catalog of {} was written by a newer version of Vitrine (schema {})",
                                  backup.native(), version));
    return list_named_blobs(copy);
}

} // namespace

BackupTotals make_backup(const fs::path& data, const fs::path& target, const BackupOptions& options,
                         const OnMoveProgress& progress)
{
    const auto catalog = options.catalog.empty() ? data / catalog_file : options.catalog;
    prepare_target(data, catalog, target);
    const DataLock lock(target);
    const auto source =
        make_folder_place(options.blobs.empty() ? data : options.blobs, FileCopies::always, true);
    const auto copies = options.copies ? FileCopies::always : FileCopies::linked;
    const auto place = make_folder_place(target, copies, !options.compares);
    BackupTotals totals;
    std::vector<NamedBlob> blobs;
    for (unsigned snapshots = 1;; ++snapshots) {
        const auto missing = totals.blobs.missing;
        progress({"copying the catalog", 0, 1});
        blobs = take_snapshot(catalog, target, totals.assets);
        progress({"copying the catalog", 1, 1});
        totals.blobs = copy_blobs(*source, *place, blobs, "copying blobs", progress);
        const auto& now_missing = totals.blobs.missing; // the same again: they are lost
        if (now_missing.empty() || now_missing == missing || snapshots == max_snapshots) break;
    }
    const auto snapshot = target / snapshot_name;
    totals.catalog_sha256 = hash_file(snapshot);
    const auto name = fmt::format("catalog-{}.sqlite", totals.catalog_sha256.substr(0, 16));
    copy_token(data, target);
    rename_file(snapshot, target / name);
    place->sync();
    write_manifest(target, {.catalog = name,
                            .sha256 = totals.catalog_sha256,
                            .assets = totals.assets,
                            .blobs = totals.blobs.blobs,
                            .bytes = totals.blobs.bytes});
    remove_old_catalogs(target, name);
    const auto others = list_other_blobs(*place, blobs);
    for (const auto& hash : others)
        place->remove(hash);
    totals.removed = others.size();
    return totals;
}

BackupTotals restore_backup(const fs::path& backup, const fs::path& data, const OnMoveProgress& progress)
{
    const auto manifest = fs::is_directory(backup) ? read_manifest(backup) : std::nullopt;
    if (!manifest) reject_backup(fmt::format("there is no backup in {}", backup.native()));
    if (manifest->catalog.empty())
        reject_backup(fmt::format("the backup in {} was not finished", backup.native()));
    if (fs::exists(data) && !fs::is_directory(data))
        reject_backup(fmt::format("{} is not a folder", data.native()));
    const DataLock lock(data);
    const auto mark = data / restore_mark;
    check_empty(data, mark);
    const auto file = data / snapshot_name;
    BackupTotals totals{.assets = manifest->assets, .catalog_sha256 = manifest->sha256};
    progress({"copying the catalog", 0, 1});
    const auto blobs = restore_catalog(backup, *manifest, file);
    progress({"copying the catalog", 1, 1});
    const auto source = make_folder_place(backup, FileCopies::always, true);
    const auto place = make_folder_place(data, FileCopies::always, false);
    totals.blobs = copy_blobs(*source, *place, blobs, "copying blobs", progress);
    copy_hashed(backup / token_name, data / token_name);
    rename_file(file, data / catalog_file);
    place->sync();
    fs::remove(mark);
    sync_folder(data);
    return totals;
}

} // namespace vitrine::server
