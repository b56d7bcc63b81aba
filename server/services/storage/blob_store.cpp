#include "server/services/storage/blob_store.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "server/services/storage/durable_folders.hpp"
#include "server/util/files.hpp"
#include "server/util/ids.hpp"
#include "server/util/sha256.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {
namespace {

constexpr std::size_t buffer_bytes = 256 * 1024;     // writes of fewer bytes are combined
constexpr std::size_t large_write_bytes = 64 * 1024; // is not copied into the buffer
constexpr std::size_t write_back_bytes = 8ull << 20; // the disk writes while a large blob arrives

fs::path path_of(const fs::path& blobs, const std::string& hash)
{
    return blobs / hash.substr(0, 2) / hash.substr(2, 2) / hash;
}

// Blobs used by uploads that the catalog does not reference yet. Any thread. A pin may outlive this object.
class BlobPins {
public:
    BlobPins();

    // The blob is not removed until the last copy of the pin is destroyed.
    std::shared_ptr<const void> take(const std::string& hash);
    // Runs `work` if the blob has no pin; no pin can be taken until it has returned.
    void run_if_unpinned(const std::string& hash, const std::function<void()>& work) const;
    // Waits for blobs whose last pin was destroyed. Empty: a stop was requested.
    std::vector<std::string> wait_for_unpinned(const std::stop_token& stop);

private:
    struct State;
    std::shared_ptr<State> state_;
};

struct BlobPins::State {
    std::mutex mutex; // guards the members below
    std::condition_variable_any changed;
    std::unordered_map<std::string, std::size_t> counts;
    std::vector<std::string> released;

    void unpin(const std::string& hash)
    {
        const std::lock_guard lock(mutex);
        if (--counts[hash] > 0) return;
        counts.erase(hash);
        released.push_back(hash);
        changed.notify_all();
    }
};

BlobPins::BlobPins() : state_(std::make_shared<State>()) {}

std::shared_ptr<const void> BlobPins::take(const std::string& hash)
{
    {
        const std::lock_guard lock(state_->mutex);
        ++state_->counts[hash];
    }
    // The pointer is only a token; its deleter keeps the state alive and removes the pin.
    return {state_.get(), [state = state_, hash](const void*) { state->unpin(hash); }};
}

void BlobPins::run_if_unpinned(const std::string& hash, const std::function<void()>& work) const
{
    const std::lock_guard lock(state_->mutex);
    if (!state_->counts.contains(hash)) work();
}

std::vector<std::string> BlobPins::wait_for_unpinned(const std::stop_token& stop)
{
    std::unique_lock lock(state_->mutex);
    if (!state_->changed.wait(lock, stop, [&] { return !state_->released.empty(); })) return {};
    return std::exchange(state_->released, {});
}

class FileBlobWriter final : public BlobWriter {
public:
    FileBlobWriter(BlobPins& pins, DurableFolders& folders, fs::path blobs, const fs::path& temporary)
        : pins_(pins), folders_(folders), blobs_(std::move(blobs)),
          temporary_(temporary / (new_id("blob") + ".part")), file_(OpenFile::create(temporary_))
    {
    }

    ~FileBlobWriter() override
    {
        std::error_code ignored;
        if (!committed_) fs::remove(temporary_, ignored);
    }

    void write(std::span<const std::byte> bytes) override
    {
        size_bytes_ += bytes.size();
        if (buffer_.size() + bytes.size() > buffer_bytes) flush();
        if (bytes.size() >= large_write_bytes) {
            flush();
            store(bytes);
        } else
            buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    }

    std::uint64_t size_bytes() const override { return size_bytes_; }

    BlobRef commit() override
    {
        flush();
        BlobRef blob{hash_.finish(), size_bytes_};
        blob.pin = pins_.take(blob.hash); // before the lookup, so that an existing blob is not removed
        const auto target = path_of(blobs_, blob.hash);
        if (!is_there(target)) {
            file_.sync(temporary_);
            make_folders(target.parent_path());
            rename_file(temporary_, target);
            committed_ = true;
        }
        // Also if another upload has renamed it: its sync may not have finished.
        sync_folder(target.parent_path());
        folders_.ensure_synced(target.parent_path());
        return blob;
    }

private:
    void flush()
    {
        store(buffer_);
        buffer_.clear();
    }

    void store(std::span<const std::byte> bytes)
    {
        file_.write(bytes, temporary_);
        hash_.update(bytes);
        stored_bytes_ += bytes.size();
        if (stored_bytes_ - written_back_bytes_ < write_back_bytes) return;
        file_.start_writing_back(written_back_bytes_, stored_bytes_ - written_back_bytes_);
        written_back_bytes_ = stored_bytes_;
    }

    bool is_there(const fs::path& target) const
    {
        const auto file = OpenFile::find(target);
        return file && file->size_bytes() == size_bytes_;
    }

    BlobPins& pins_;
    DurableFolders& folders_;
    fs::path blobs_;
    fs::path temporary_;
    OpenFile file_;
    Sha256 hash_;
    std::vector<std::byte> buffer_; // not yet written
    std::uint64_t size_bytes_ = 0;
    std::uint64_t stored_bytes_ = 0;       // without those in the buffer
    std::uint64_t written_back_bytes_ = 0; // of these, on their way to the disk
    bool committed_ = false;
};

class FileBlobStore final : public BlobStore {
public:
    explicit FileBlobStore(const fs::path& root)
        : blobs_(root / "blobs"), temporary_(root / "tmp"), folders_(blobs_)
    {
        std::error_code ignored;
        fs::remove_all(temporary_, ignored); // left by a killed process
        make_folders(blobs_);
        make_folders(temporary_);
        sync_folder(root);
    }

    std::unique_ptr<BlobWriter> create() override
    {
        return std::make_unique<FileBlobWriter>(pins_, folders_, blobs_, temporary_);
    }

    Result<fs::path> local_path(const std::string& hash) const override
    {
        if (!open(hash)) return missing(hash);
        return path_of(blobs_, hash);
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

    std::vector<std::string> wait_for_unpinned(const std::stop_token& stop) override
    {
        return pins_.wait_for_unpinned(stop);
    }

private:
    std::optional<OpenFile> open(const std::string& hash) const
    {
        if (!is_sha256(hash)) return std::nullopt;
        return OpenFile::find(path_of(blobs_, hash));
    }

    static std::unexpected<ServiceError> missing(const std::string& hash)
    {
        return make_error(Errc::not_found, "blob_missing", fmt::format("there is no blob {}", hash));
    }

    fs::path blobs_;
    fs::path temporary_;
    DurableFolders folders_;
    BlobPins pins_;
};

} // namespace

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

std::unique_ptr<BlobStore> make_file_blob_store(const fs::path& root)
{
    return std::make_unique<FileBlobStore>(root);
}

} // namespace vitrine::server
