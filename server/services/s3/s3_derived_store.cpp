#include "server/services/s3/s3_derived_store.hpp"

#include <algorithm>
#include <utility>

#include <prometheus/registry.h>

#include "server/services/s3/s3_client.hpp"
#include "server/util/error.hpp"
#include "server/util/files.hpp"
#include "server/util/sha256.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {
namespace {

using std::chrono::seconds;

const std::string derived_folder = "derived/";
constexpr seconds min_parts_age{24 * 3600}; // of uploads in parts that a killed process has left
// A derived file is made again rather than waited for.
constexpr std::chrono::milliseconds max_deadline{2'000};
constexpr seconds max_stall_time{3};

S3Options hurried(S3Options options)
{
    options.deadline = std::min(options.deadline, max_deadline);
    options.max_stall = max_stall_time;
    return options;
}

class S3DerivedStore final : public DerivedStore {
public:
    explicit S3DerivedStore(S3Options options) : client_(hurried(std::move(options)), registry_) {}

    std::optional<DerivedObject> find(const std::string& digest) override
    {
        const auto there = client_.find(derived_folder + digest);
        if (!there) return std::nullopt;
        return DerivedObject{digest, there->size_bytes, there->age};
    }

    bool get(const std::string& digest, const std::function<void(std::span<const std::byte>)>& sink) override
    {
        return client_.get(derived_folder + digest, sink);
    }

    void put(const std::string& digest, const fs::path& path) override
    {
        client_.put_file(derived_folder + digest, path, hash_of_file(path));
    }

    void remove(const std::string& digest) override { client_.remove(derived_folder + digest); }

    void list(char first_digit, const std::function<bool(DerivedObject)>& visit) override
    {
        const auto prefix = derived_folder + first_digit;
        std::string continuation;
        do {
            const auto page = client_.list(prefix, continuation);
            if (continuation.empty()) abort_old_uploads(prefix, page.now_s);
            continuation = page.continuation;
            for (const auto& object : page.objects) {
                auto digest = object.key.substr(std::min(derived_folder.size(), object.key.size()));
                const seconds age(std::max<std::int64_t>(0, page.now_s - object.modified_s));
                if (is_sha256(digest) && !visit({std::move(digest), object.size_bytes, age})) return;
            }
        } while (!continuation.empty());
    }

    void interrupt() override { client_.interrupt(); }

private:
    // Not of larger files, whose parts are hashed one by one.
    std::string hash_of_file(const fs::path& path) const
    {
        const auto file = OpenFile::find(path);
        if (!file || file->size_bytes() > client_.options().part_bytes) return {};
        const auto bytes = file->read(0, static_cast<std::size_t>(client_.options().part_bytes), path);
        return sha256_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }

    void abort_old_uploads(const std::string& prefix, std::int64_t now_s)
    {
        for (const auto& upload : client_.list_pending_uploads(prefix))
            if (!client_.is_sending(upload.id) && seconds(now_s - upload.initiated_s) > min_parts_age)
                client_.abort_upload(upload.key, upload.id);
    }

    prometheus::Registry registry_; // the requests are not those of the blob store
    S3Client client_;
};

} // namespace

std::unique_ptr<DerivedStore> make_s3_derived_store(S3Options options)
{
    return std::make_unique<S3DerivedStore>(std::move(options));
}

std::unique_ptr<DerivedStore> make_derived_store(const SharedDerivedConfig& config)
{
    return config.s3 ? make_s3_derived_store(*config.s3) : make_folder_derived_store(config.folder);
}

} // namespace vitrine::server
