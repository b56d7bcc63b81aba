#include "server/services/storage/blob_store.hpp"

#include <cerrno>
#include <fstream>
#include <span>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>

#include "server/services/catalog/blob_ledger.hpp"
#include "server/services/storage/blob_pins.hpp"
#include "server/services/storage/durable_folders.hpp"
#include "server/services/storage/hashed_file.hpp"
#include "server/util/files.hpp"
#include "server/util/sha256.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {
namespace {

fs::path path_of(const fs::path& blobs, const std::string& hash)
{
    return blobs / hash.substr(0, 2) / hash.substr(2, 2) / hash;
}

class FileBlobWriter final : public BlobWriter {
public:
    FileBlobWriter(BlobPins& pins, DurableFolders& folders, fs::path blobs, const fs::path& temporary)
        : pins_(pins), folders_(folders), blobs_(std::move(blobs)), file_(temporary)
    {
    }

    void write(std::span<const std::byte> bytes) override { file_.write(bytes); }
    std::uint64_t size_bytes() const override { return file_.size_bytes(); }

    // Durable when it returns: file and folder are synced.
    BlobRef commit() override
    {
        BlobRef blob{file_.finish(), file_.size_bytes()};
        blob.pin = pins_.take(blob.hash); // before the lookup, so that an existing blob is not removed
        const auto target = path_of(blobs_, blob.hash);
        if (!is_there(target)) {
            file_.sync();
            make_folders(target.parent_path());
            file_.move_to(target);
        }
        // Also if another upload has renamed it: its sync may not have finished.
        sync_folder(target.parent_path());
        folders_.ensure_synced(target.parent_path());
        return blob;
    }

private:
    bool is_there(const fs::path& target) const
    {
        const auto file = OpenFile::find(target);
        return file && file->size_bytes() == file_.size_bytes();
    }

    BlobPins& pins_;
    DurableFolders& folders_;
    fs::path blobs_;
    HashedFile file_;
};

class FileBlobStore final : public BlobStore {
public:
    FileBlobStore(const fs::path& root, const char* temporary, bool take_over)
        : blobs_(root / "blobs"), temporary_(root / temporary), owner_(root / "blobs-owner"),
          take_over_(take_over), folders_(blobs_)
    {
        make_folders(blobs_);
        make_empty_folder(temporary_);
        sync_folder(root);
    }

    // The blobs of another catalog, if there are any, would be removed as those that no asset refers to.
    void join(BlobLedger& ledger) override
    {
        std::string owner;
        std::ifstream(owner_) >> owner;
        if (owner == ledger.identity()) return;
        if (!owner.empty() && !take_over_ && !is_empty())
            throw StorageError(
                StorageError::Kind::failed,
                fmt::format("{} belongs to another catalog ({}, not {}): name that one with --database, "
                            "or start once with --take-over-blobs, after which what only the other "
                            "catalog refers to is removed",
                            blobs_.native(), owner, ledger.identity()));
        write_owner(ledger.identity());
    }

    std::unique_ptr<BlobWriter> create() override
    {
        return std::make_unique<FileBlobWriter>(pins_, folders_, blobs_, temporary_);
    }

    void make_durable(std::span<const std::string>) override {} // commit() has synced them

    Result<BlobRef> pin(const std::string& hash) override
    {
        if (!is_sha256(hash)) return missing_blob(hash);
        BlobRef blob{.hash = hash, .pin = pins_.take(hash)}; // before the lookup
        const auto file = open(hash);
        if (!file) return missing_blob(hash);
        blob.size_bytes = file->size_bytes();
        return blob;
    }
    void release(std::span<const std::string> hashes) override { pins_.release(hashes); }

    Result<LocalBlob> find_local(const std::string& hash) const override
    {
        if (!open(hash)) return missing_blob(hash);
        return LocalBlob{path_of(blobs_, hash)};
    }

    void visit(const std::function<bool(const std::string& hash)>& visit) const override
    {
        std::error_code error;
        for (fs::recursive_directory_iterator at(blobs_, error), end; !error && at != end;
             at.increment(error)) {
            auto name = at->path().filename().string();
            if (is_sha256(name) && !visit(name)) return;
        }
        if (error) throw_storage_error(error.value(), "list", blobs_.native());
    }

    bool remove_unless(const std::string& hash, const std::function<bool()>& is_wanted) override
    {
        bool removed = false;
        pins_.run_if_unpinned(hash, [&] {
            if (is_wanted()) return;
            std::error_code error;
            removed = fs::remove(path_of(blobs_, hash), error);
            if (error) throw_storage_error(error.value(), "remove", hash);
        });
        return removed;
    }

    std::vector<std::string> wait_for_candidates(const std::stop_token& stop) override
    {
        return pins_.wait_for_unpinned(stop);
    }

private:
    std::optional<OpenFile> open(const std::string& hash) const
    {
        if (!is_sha256(hash)) return std::nullopt;
        return OpenFile::find(path_of(blobs_, hash));
    }

    bool is_empty() const
    {
        bool empty = true;
        visit([&](const std::string&) { return empty = false; });
        return empty;
    }
    void write_owner(const std::string& identity) const
    {
        const auto made = temporary_ / owner_.filename();
        {
            auto file = OpenFile::create(made);
            file.write(std::as_bytes(std::span(identity)), made);
            file.sync(made);
        }
        rename_file(made, owner_);
        sync_folder(owner_.parent_path());
    }

    fs::path blobs_;
    fs::path temporary_;
    fs::path owner_; // a file
    const bool take_over_;
    DurableFolders folders_;
    BlobPins pins_;
};

} // namespace

Result<std::vector<LocalBlob>> BlobStore::receive(const std::string& /*place*/,
                                                  std::span<const std::string> hashes) const
{
    std::vector<LocalBlob> files;
    for (const auto& hash : hashes) {
        auto local = find_local(hash);
        if (!local) return std::unexpected(local.error());
        files.push_back(std::move(*local));
    }
    return files;
}

std::optional<OpenFile> open_blob(const LocalBlob& blob)
{
    if (blob.descriptor < 0) return OpenFile::find(blob.path);
    const int descriptor = ::fcntl(blob.descriptor, F_DUPFD_CLOEXEC, 0);
    if (descriptor < 0) throw_storage_error(errno, "open", blob.path.native());
    return OpenFile(descriptor);
}

std::unexpected<ServiceError> missing_blob(const std::string& hash)
{
    return make_error(Errc::not_found, "blob_missing", fmt::format("there is no blob {}", hash));
}

BlobRef BlobStore::put_file(const fs::path& path)
{
    auto file = OpenFile::find(path);
    if (!file) throw StorageError(StorageError::Kind::failed, "there is no file " + path.native());
    auto writer = create();
    constexpr std::size_t chunk = 1 << 20;
    for (auto bytes = file->read(0, chunk, path); !bytes.empty();
         bytes = file->read(writer->size_bytes(), chunk, path))
        writer->write(bytes);
    return writer->commit();
}

std::unique_ptr<BlobStore> make_file_blob_store(const fs::path& root, bool take_over)
{
    return std::make_unique<FileBlobStore>(root, "tmp", take_over);
}

std::unique_ptr<BlobStore> make_separate_blob_store(const fs::path& data, const fs::path& root,
                                                    bool take_over)
{
    make_empty_folder(data / "tmp");
    return std::make_unique<FileBlobStore>(root, "blobs-unfinished", take_over);
}

} // namespace vitrine::server
