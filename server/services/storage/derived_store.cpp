#include "server/services/storage/derived_store.hpp"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>

#include "server/util/error.hpp"
#include "server/util/files.hpp"
#include "server/util/ids.hpp"
#include "server/util/sha256.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {
namespace {

using std::chrono::seconds;

constexpr std::size_t copied_bytes = 1 << 20; // at a time
constexpr seconds max_write_time{24 * 3600};  // older temporary files are of killed processes

std::optional<DerivedObject> object_at(const fs::path& path)
{
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
        throw_storage_error(errno, "read", path.native());
    }
    const auto age = std::chrono::system_clock::now().time_since_epoch() - seconds(status.st_mtim.tv_sec);
    return DerivedObject{path.filename().string(), static_cast<std::uint64_t>(status.st_size),
                         std::max(std::chrono::floor<seconds>(age), seconds(0))};
}

class FolderDerivedStore final : public DerivedStore {
public:
    explicit FolderDerivedStore(fs::path folder) : folder_(std::move(folder)) {}

    std::optional<DerivedObject> find(const std::string& digest) override
    {
        require_folder();
        return object_at(path_of(digest));
    }

    bool get(const std::string& digest, const std::function<void(std::span<const std::byte>)>& sink) override
    {
        require_folder();
        const auto path = path_of(digest);
        const auto file = OpenFile::find(path);
        if (!file) return false;
        std::uint64_t at = 0;
        for (auto bytes = file->read(at, copied_bytes, path); !bytes.empty();
             bytes = file->read(at, copied_bytes, path)) {
            sink(bytes);
            at += bytes.size();
        }
        return true;
    }

    void put(const std::string& digest, const fs::path& file) override
    {
        require_folder();
        const auto target = path_of(digest);
        const auto temporary = target.parent_path() / (new_id("derived") + ".part");
        const auto source = OpenFile::find(file);
        if (!source) throw_storage_error(ENOENT, "read", file.native());
        make_folders(target.parent_path());
        try {
            copy(*source, file, temporary);
            rename_file(temporary, target);
        } catch (const StorageError&) {
            std::error_code ignored;
            fs::remove(temporary, ignored);
            throw;
        }
    }

    void refresh(const std::string& digest, const fs::path& file) override
    {
        if (::utimensat(AT_FDCWD, path_of(digest).c_str(), nullptr, 0) != 0) put(digest, file);
    }

    void remove(const std::string& digest) override
    {
        std::error_code error;
        fs::remove(path_of(digest), error);
        if (error) throw_storage_error(error.value(), "remove", digest);
    }

    void list(char first_digit, const std::function<bool(DerivedObject)>& visit) override
    {
        require_folder();
        for (const char second : digest_digits)
            if (!list_folder(folder_ / std::string{first_digit, second}, visit)) return;
    }

private:
    fs::path path_of(const std::string& digest) const { return folder_ / digest.substr(0, 2) / digest; }

    // Otherwise files would be written below the mount point of a file system that is gone.
    void require_folder() const
    {
        std::error_code error;
        if (!fs::is_directory(folder_, error))
            throw StorageError(StorageError::Kind::unavailable, "there is no folder " + folder_.native());
    }

    static void copy(const OpenFile& source, const fs::path& from, const fs::path& to)
    {
        auto file = OpenFile::create(to);
        std::uint64_t at = 0;
        for (auto bytes = source.read(at, copied_bytes, from); !bytes.empty();
             bytes = source.read(at, copied_bytes, from)) {
            file.write(bytes, to);
            at += bytes.size();
        }
    }

    // Returns false to end the list.
    static bool list_folder(const fs::path& folder, const std::function<bool(DerivedObject)>& visit)
    {
        std::error_code error;
        for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
            auto object = object_at(at->path());
            if (!object) continue; // removed since
            if (is_sha256(object->digest)) {
                if (!visit(std::move(*object))) return false;
            } else if (object->digest.ends_with(".part") && object->age > max_write_time) {
                std::error_code ignored;
                fs::remove(at->path(), ignored);
            }
        }
        if (error && error != std::errc::no_such_file_or_directory)
            throw_storage_error(error.value(), "list", folder.native());
        return true;
    }

    const fs::path folder_;
};

} // namespace

std::unique_ptr<DerivedStore> make_folder_derived_store(const fs::path& folder)
{
    return std::make_unique<FolderDerivedStore>(folder);
}

} // namespace vitrine::server
