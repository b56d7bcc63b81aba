#include "server/services/libraries/library_scan.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "server/services/libraries/file_hash.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t files_of_batch = 256;            // of one transaction
constexpr std::uint64_t bytes_of_batch = 256ull << 20; // a killed process hashes about as many again

struct FileDifferences {
    std::vector<FileKey> missing;
    std::vector<IndexedFile> changed, added;
    std::int64_t unfinished = 0;
};

auto order_of(const std::string& folder, const std::string& name)
{
    return std::tie(folder, name);
}

// Walks through the files of the folder beside the rows of the index, both in the same order.
class FileComparison {
public:
    FileComparison(const FolderWalk& walk, bool compares_inodes, std::int64_t now_ns)
        : walk_(walk), compares_inodes_(compares_inodes), now_ns_(now_ns)
    {
    }

    void take_row(IndexedFile&& row)
    {
        const auto wanted = order_of(row.folder, row.file.name);
        while (const auto* found = current())
            if (order_of(*folder_, found->name) < wanted)
                add(*found);
            else
                break;
        const auto* found = current();
        if (found != nullptr && order_of(*folder_, found->name) == wanted)
            compare(row.file, *found);
        else if (!is_unknown(row))
            differences_.missing.push_back({std::move(row.folder), std::move(row.file.name)});
    }

    FileDifferences finish()
    {
        while (const auto* found = current())
            add(*found);
        return std::move(differences_);
    }

private:
    const WalkedFile* current()
    {
        for (; at_folder_ < walk_.folders.size(); ++at_folder_, at_file_ = 0)
            if (at_file_ < walk_.folders[at_folder_].files.size()) {
                folder_ = &walk_.folders[at_folder_].path;
                return &walk_.folders[at_folder_].files[at_file_];
            }
        return nullptr;
    }

    void add(const WalkedFile& found)
    {
        ++at_file_;
        if (is_being_written(found)) return;
        differences_.added.push_back({*folder_, found});
    }

    void compare(const WalkedFile& row, const WalkedFile& found)
    {
        ++at_file_;
        const bool is_same = row.size_bytes == found.size_bytes && row.modified_ns == found.modified_ns &&
                             (!compares_inodes_ || row.inode == found.inode);
        if (is_same || is_being_written(found)) return;
        differences_.changed.push_back({*folder_, found});
    }

    bool is_being_written(const WalkedFile& found)
    {
        const bool is_recent = std::abs(now_ns_ - found.modified_ns) < settle_ms * 1'000'000;
        differences_.unfinished += is_recent ? 1 : 0;
        return is_recent;
    }

    bool is_unknown(const IndexedFile& row) const
    {
        if (walk_.unreadable.empty()) return false;
        const auto path = join_path(row.folder, row.file.name);
        return std::ranges::any_of(walk_.unreadable, [&](const std::string& folder) {
            return path == folder || folder.empty() || path.starts_with(folder + "/");
        });
    }

    const FolderWalk& walk_;
    const bool compares_inodes_;
    const std::int64_t now_ns_;
    std::size_t at_folder_ = 0, at_file_ = 0;
    const std::string* folder_ = nullptr; // of current()
    FileDifferences differences_;
};

// Hashes what has changed or is new, and stores it.
class FileHasher {
public:
    FileHasher(const Library& library, const LibraryIndex& index, const ScanGoesOn& goes_on, FileScan& scan)
        : library_(library), index_(index), goes_on_(goes_on), scan_(scan)
    {
    }

    void run(const FileDifferences& differences)
    {
        index_.mark_gone(differences.missing);
        waiting_ = static_cast<std::int64_t>(differences.changed.size() + differences.added.size());
        // First, so that each hash that a file had is known as gone when another file with it is stored.
        const auto changed = hash_changed(differences.changed);
        for (const auto& file : changed)
            arrive(file);
        for (const auto& file : differences.added)
            if (!scan_.is_interrupted)
                if (auto hashed = hash(file)) arrive(std::move(*hashed));
        store_batch();
        index_.replace(left_);
    }

private:
    // Those with other bytes; they are gone then, until they are stored.
    std::vector<ArrivedFile> hash_changed(const std::vector<IndexedFile>& changed)
    {
        std::vector<ArrivedFile> found;
        std::vector<IndexedFile> same;
        std::vector<FileKey> keys;
        for (const auto& file : changed) {
            auto hashed = scan_.is_interrupted ? std::nullopt : hash(file);
            if (!hashed) continue;
            if (index_.has_hash({file.folder, file.file.name}, hashed->sha256))
                same.push_back(file);
            else {
                keys.push_back({file.folder, file.file.name});
                found.push_back(std::move(*hashed));
            }
        }
        index_.update_status(same);
        index_.mark_gone(keys);
        return found;
    }

    std::optional<ArrivedFile> hash(const IndexedFile& file)
    {
        --waiting_;
        const auto opened = open_below(library_.path, join_path(file.folder, file.file.name));
        if (!opened) return skip();
        const auto before = file_status(opened->descriptor());
        const auto state = opened->state();
        if (state.size_bytes != file.file.size_bytes || state.modified_ns != file.file.modified_ns)
            return leave_unfinished();
        auto hashed = hash_file(*opened, [&](std::uint64_t) { return goes_on(); });
        if (!hashed) return scan_.is_interrupted ? std::nullopt : skip();
        if (file_status(opened->descriptor()) != before) return leave_unfinished();
        ++scan_.hashed;
        return ArrivedFile{file, std::move(*hashed)};
    }

    std::optional<ArrivedFile> skip()
    {
        ++scan_.skipped;
        return std::nullopt;
    }
    std::optional<ArrivedFile> leave_unfinished()
    {
        ++scan_.unfinished;
        return std::nullopt;
    }
    bool goes_on()
    {
        scan_.is_interrupted = scan_.is_interrupted || !goes_on_(waiting_);
        return !scan_.is_interrupted;
    }

    void arrive(ArrivedFile file)
    {
        bytes_ += file.found.file.size_bytes;
        batch_.push_back(std::move(file));
        if (batch_.size() >= files_of_batch || bytes_ >= bytes_of_batch) store_batch();
    }

    void store_batch()
    {
        if (!batch_.empty())
            for (auto& file : index_.store(batch_))
                left_.push_back(std::move(file));
        batch_.clear();
        bytes_ = 0;
        goes_on();
    }

    const Library& library_;
    const LibraryIndex& index_;
    const ScanGoesOn& goes_on_;
    FileScan& scan_;
    std::int64_t waiting_ = 0; // files to hash
    std::vector<ArrivedFile> batch_, left_;
    std::uint64_t bytes_ = 0; // of batch_
};

FileScan unavailable(std::string problem)
{
    return {.state = LibraryState::unavailable, .problem = std::move(problem)};
}

bool is_empty(const FolderWalk& walk)
{
    return std::ranges::all_of(walk.folders, [](const auto& folder) { return folder.files.empty(); });
}

} // namespace

FileScan scan_files(const Library& library, const LibraryIndex& index, const ScanGoesOn& goes_on)
{
    const LibraryFilter filter{PathPatterns(library.include), PathPatterns(library.ignored)};
    const auto walk = walk_folder(library.path, filter, [&] { return !goes_on(0); });
    if (walk.error != 0)
        return unavailable(fmt::format("The folder cannot be read: {}.", ::strerrordesc_np(walk.error)));
    FileScan scan{.is_interrupted = walk.is_stopped, .skipped = static_cast<std::int64_t>(walk.skipped)};
    if (scan.is_interrupted) return scan;
    // A file system that is not mounted is an empty folder, and no reason to remove all assets.
    if (is_empty(walk) && index.counts().files > 0)
        return unavailable("The folder has no files any more. If that is so, remove the library; otherwise "
                           "mount its file system.");
    FileComparison comparison(walk, is_local_folder(library.path), now() * 1'000);
    index.visit([&](IndexedFile&& row) { comparison.take_row(std::move(row)); });
    FileHasher(library, index, goes_on, scan).run([&] {
        auto differences = comparison.finish();
        scan.unfinished = differences.unfinished;
        return differences;
    }());
    for (const auto& folder : walk.folders)
        scan.folders.push_back(folder.path);
    return scan;
}

} // namespace vitrine::server
