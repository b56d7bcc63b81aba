#pragma once
// Objects of one bucket below a prefix; keys are relative to it. Signs, retries with back-off and jitter
// until a deadline, and fails at once for a second after the store was found gone. Any thread, blocking.
// A stop of the work of the calling thread (loaders/base/stop.hpp) throws Stopped.
// Throws StorageError: `unavailable` if the store gives no answer in time or rejects the request, with its
// reason; `failed` for answers that contradict the protocol. Keys to sign in are in no message.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <prometheus/counter.h>
#include <prometheus/registry.h>

#include "server/services/s3/s3_answers.hpp"
#include "server/services/s3/s3_options.hpp"
#include "server/services/s3/s3_transport.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

struct S3ObjectInfo {
    std::uint64_t size_bytes = 0;
    std::chrono::seconds age{}; // since it was last written, by the clock of the store; at least 0
    std::string etag{};         // with its quotes
};

// A part of an object in the state that has this entity tag.
struct S3Range {
    std::uint64_t offset = 0;
    std::uint64_t length = 0; // at least 1; the range ends in the object
    std::string etag;         // with its quotes
};

class S3Client {
public:
    // Throws std::runtime_error if libcurl is not installed. Sends nothing.
    S3Client(S3Options options, prometheus::Registry& registry);

    // Stores a whole file whose SHA-256 is `hash`; the store compares the bytes that arrive with it. Files
    // larger than S3Options::part_bytes are sent in parts with a hash each, and aborted if one fails.
    void put_file(const std::string& key, const std::filesystem::path& file, const std::string& hash);
    void put_text(const std::string& key, const std::string& text);
    // Empty: there is no such object.
    std::optional<S3ObjectInfo> find(const std::string& key);
    // Passes the object to `sink` in pieces, from its beginning to its end; a connection that breaks is
    // continued from where it was. False: there is no such object.
    bool get(const std::string& key, const std::function<void(std::span<const std::byte>)>& sink);
    // The same for a range; an object that has changed is `unavailable`.
    bool get_range(const std::string& key, const S3Range& range,
                   const std::function<void(std::span<const std::byte>)>& sink);
    // Returns a page of the objects whose keys begin so, in order; `continuation`: of the page before.
    S3Listing list(const std::string& key_prefix, const std::string& continuation = {});
    // Uploads in parts that nobody has ended, of keys that begin so, up to 1000.
    std::vector<S3PendingUpload> list_pending_uploads(const std::string& key_prefix = {});
    bool is_sending(const std::string& upload_id) const; // an upload in parts of this client in progress
    void abort_upload(const std::string& key, const std::string& upload_id);
    void remove(const std::string& key); // also if there is none
    // Returns an address from which anyone may read the object for `seconds`; `response` are query parameters
    // such as "response-content-type".
    std::string presign(const std::string& key, unsigned seconds, const S3Fields& response) const;

    // All calls fail from now on.
    void interrupt();
    const S3Options& options() const { return options_; }

private:
    // A request before it is signed.
    struct Call {
        std::string method;
        std::string key{};
        S3Fields query{};
        S3Fields headers{}; // names in lower case
        std::string body{};
        std::optional<S3FilePart> part{};
        std::string payload_hash{}; // empty: of `body`
        std::function<void(std::span<const std::byte>)> sink{};
        std::chrono::seconds max_stall{}; // if it is longer than that of the options
        bool of_bucket = false;           // instead of the object `key`
    };

    S3HttpRequest sign(const Call& call) const;
    S3Keys current_keys() const;                  // reads their file again if it has changed
    std::string url_path(const Call& call) const; // encoded
    std::string url_host() const;
    // Sends until there is an answer that a repetition would not change. `prepare` changes the call before a
    // repetition and returns whether the attempt before it made progress, after which the deadline begins
    // anew.
    S3HttpReply perform(Call call, const std::function<bool(Call&)>& prepare = {});
    bool wait_before_retry(unsigned attempt, const S3HttpReply& reply,
                           std::chrono::steady_clock::time_point until);
    void fail_if_gone() const;
    // Returns the reply if its status is `wanted` or 200; throws otherwise.
    S3HttpReply require(S3HttpReply reply, const Call& call, long wanted = 200) const;
    std::string put_part(const std::string& key, const std::string& upload_id, unsigned number,
                         const S3FilePart& part);
    std::shared_ptr<const void> mark_sending(const std::string& upload_id); // while it exists
    void put_parts(const std::string& key, const OpenFile& file, const std::filesystem::path& path);
    void complete_upload(const std::string& key, const std::string& upload_id,
                         const std::vector<std::string>& etags);

    const S3Options options_;
    S3Transport transport_;
    prometheus::Counter& requests_;
    prometheus::Counter& retries_;
    prometheus::Counter& failures_;
    std::atomic<std::int64_t> gone_until_ms_ = 0; // steady clock
    mutable std::mutex mutex_;                    // guards the members below
    mutable S3Keys keys_;
    mutable std::chrono::steady_clock::time_point next_look_{}; // at the file of the keys
    mutable std::filesystem::file_time_type keys_written_{};
    std::set<std::string> sending_{}; // ids of uploads in parts
    std::condition_variable_any interrupted_;
};

// Returns whether the store takes, returns and removes a small object: empty, or one sentence that says what
// is wrong.
std::string check_s3_store(const S3Options& options);

// Runs work(i) for each i below `count` on up to `threads` threads, all of which hear the stop of the calling
// thread's work; passes on the first exception after all threads have ended.
void for_each_parallel(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work);

// Keys of blobs, and of the marks of those who remove them: the folder and the hash. Files that are handed
// over have the name of a request between the two.
constexpr std::string_view blobs_folder = "blobs/", marks_folder = "removing/", handed_folder = "handed/";

// Hashes of the blobs in a page of blobs_folder that were written at least `grace` ago.
std::vector<std::string> list_old_blobs(const S3Listing& page, std::chrono::seconds grace);
// Removes the marks of blobs that were removed long ago, and what killed processes have left: files that were
// handed over longer than `grace` ago, and uploads in parts older than `grace` and a day.
void remove_leftovers(S3Client& client, std::chrono::seconds grace, std::chrono::seconds mark_life);

} // namespace vitrine::server
