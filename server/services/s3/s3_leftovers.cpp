// What the garbage collection of an object store looks for.
#include <algorithm>

#include "server/services/s3/s3_client.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

using std::chrono::seconds;

constexpr seconds min_upload_age{24 * 3600}; // a file may take long to send

// Empty: it is the key of something else.
std::string hash_of_key(const std::string& key, std::string_view folder)
{
    if (!key.starts_with(folder)) return {};
    auto hash = key.substr(folder.size());
    return is_sha256(hash) ? hash : std::string();
}

// Returns the time of the store, in seconds since 1970.
std::int64_t remove_old_marks(S3Client& client, seconds least_age)
{
    std::string continuation;
    for (;;) {
        const auto marks = client.list(std::string(marks_folder), continuation);
        for (const auto& mark : marks.objects) {
            const auto hash = hash_of_key(mark.key, marks_folder);
            if (hash.empty() || seconds(marks.now_s - mark.modified_s) <= least_age) continue;
            if (!client.find(std::string(blobs_folder) + hash)) client.remove(mark.key);
        }
        continuation = marks.continuation;
        if (continuation.empty()) return marks.now_s;
    }
}

void remove_old_handed_over(S3Client& client, seconds grace)
{
    std::string continuation;
    do {
        const auto page = client.list(std::string(handed_folder), continuation);
        for (const auto& object : page.objects)
            if (seconds(page.now_s - object.modified_s) >= grace) client.remove(object.key);
        continuation = page.continuation;
    } while (!continuation.empty());
}

void abort_old_uploads(S3Client& client, std::string_view folder, std::int64_t now_s, seconds least_age)
{
    for (const auto& upload : client.list_pending_uploads(std::string(folder))) {
        const bool is_file = is_sha256(upload.key.substr(upload.key.rfind('/') + 1));
        if (is_file && !client.is_sending(upload.id) && seconds(now_s - upload.initiated_s) > least_age)
            client.abort_upload(upload.key, upload.id);
    }
}

} // namespace

std::vector<std::string> list_old_blobs(const S3Listing& page, seconds grace)
{
    std::vector<std::string> hashes;
    for (const auto& object : page.objects) {
        auto hash = hash_of_key(object.key, blobs_folder);
        if (!hash.empty() && seconds(page.now_s - object.modified_s) >= grace)
            hashes.push_back(std::move(hash));
    }
    return hashes;
}

void remove_leftovers(S3Client& client, seconds grace, seconds mark_life)
{
    const auto now_s = remove_old_marks(client, grace + 10 * mark_life);
    remove_old_handed_over(client, grace);
    for (const auto folder : {blobs_folder, handed_folder})
        abort_old_uploads(client, folder, now_s, std::max(grace, min_upload_age));
}

} // namespace vitrine::server
