// Blobs as files: root/blobs/ab/cd/HASH, as the blob store has them.

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "server/services/moves/blob_places.hpp"
#include "server/services/storage/hashed_file.hpp"
#include "server/util/files.hpp"
#include "server/util/sha256.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {
namespace {

constexpr std::size_t read_bytes = 1 << 20;

class FolderPlace final : public BlobPlace {
public:
    FolderPlace(const fs::path& root, FileCopies copies, bool trusted)
        : root_(root), blobs_(root / "blobs"), temporary_(root / "tmp"), copies_(copies), trusted_(trusted)
    {
    }

    std::string name() const override { return blobs_.native(); }

    BlobOutcome read(const std::string& hash, const BlobSink& sink) override
    {
        const auto path = file_of(hash);
        try {
            const auto file = OpenFile::find(path);
            if (!file) return BlobOutcome::missing;
            return read_file(*file, path, hash, sink);
        } catch (const ReadFailure&) {
            return BlobOutcome::damaged;
        }
    }

    BlobOutcome put_from(BlobPlace& source, const std::string& hash,
                         std::optional<std::uint64_t> size_bytes) override
    {
        if (size_bytes) {
            if (trusted_ || read(hash, [](auto) {}) == BlobOutcome::copied) return BlobOutcome::present;
        }
        const auto target = file_of(hash);
        make_folders(target.parent_path());
        if (copies_ == FileCopies::linked) {
            const auto outcome = link(source, hash, target);
            if (outcome != BlobOutcome::present) return outcome;
        }
        make_folders(temporary_);
        HashedFile file(temporary_);
        const auto outcome = source.read(hash, [&](std::span<const std::byte> bytes) { file.write(bytes); });
        if (outcome != BlobOutcome::copied) return outcome;
        if (file.finish() != hash) return BlobOutcome::damaged;
        if (trusted_) file.sync(); // the next time, its size alone is looked at
        file.move_to(target);
        return BlobOutcome::copied;
    }

    BlobSizes list() override
    {
        BlobSizes sizes;
        std::error_code error;
        if (!fs::exists(blobs_, error)) return sizes;
        for (fs::recursive_directory_iterator at(blobs_, error), end; !error && at != end;
             at.increment(error)) {
            auto name = at->path().filename().string();
            std::error_code gone;
            const auto size = is_sha256(name) ? at->file_size(gone) : 0;
            if (is_sha256(name) && !gone) sizes.emplace(std::move(name), size);
        }
        if (error) throw_storage_error(error.value(), "list", blobs_.native());
        return sizes;
    }

    void remove(const std::string& hash) override
    {
        std::error_code error;
        fs::remove(file_of(hash), error);
        if (error) throw_storage_error(error.value(), "remove", hash);
    }

    void sync() override
    {
        const OpenFile folder(::open(root_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (folder.descriptor() < 0 || ::syncfs(folder.descriptor()) != 0)
            throw_storage_error(errno, "sync", root_.native());
    }

    fs::path file_of(const std::string& hash) const override
    {
        return blobs_ / hash.substr(0, 2) / hash.substr(2, 2) / hash;
    }

private:
    struct ReadFailure {};

    static std::vector<std::byte> read_piece(const OpenFile& file, std::uint64_t at, const fs::path& path)
    {
        try {
            return file.read(at, read_bytes, path);
        } catch (const StorageError&) {
            throw ReadFailure(); // the disk: one blob is lost, the others are not
        }
    }

    static BlobOutcome read_file(const OpenFile& file, const fs::path& path, const std::string& hash,
                                 const BlobSink& sink)
    {
        Sha256 sum;
        std::uint64_t at = 0;
        for (auto bytes = read_piece(file, at, path); !bytes.empty(); bytes = read_piece(file, at, path)) {
            sum.update(bytes);
            sink(bytes);
            at += bytes.size();
        }
        return sum.finish() == hash ? BlobOutcome::copied : BlobOutcome::damaged;
    }

    // Returns `present` if the file must be copied: there is no file, or it is on another file system.
    BlobOutcome link(BlobPlace& source, const std::string& hash, const fs::path& target)
    {
        const auto file = source.file_of(hash);
        if (file.empty()) return BlobOutcome::present;
        const auto outcome = source.read(hash, [](auto) {});
        if (outcome != BlobOutcome::copied) return outcome;
        ::unlink(target.c_str()); // of another size
        if (::link(file.c_str(), target.c_str()) != 0) return BlobOutcome::present;
        return BlobOutcome::copied;
    }

    const fs::path root_, blobs_, temporary_;
    const FileCopies copies_;
    const bool trusted_;
};

} // namespace

std::unique_ptr<BlobPlace> make_folder_place(const fs::path& root, FileCopies copies, bool trusted)
{
    return std::make_unique<FolderPlace>(root, copies, trusted);
}

} // namespace vitrine::server
