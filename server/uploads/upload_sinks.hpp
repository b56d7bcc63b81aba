#pragma once
// Receivers of the body of an upload, which store its files as blobs or in memory.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/routing/context.hpp"
#include "server/routing/problems.hpp"
#include "server/services/services.hpp"
#include "server/services/storage/memory_files.hpp"

namespace vitrine::server {

using Rejection = std::optional<api::Problem>;

api::Problem upload_problem(int status, std::string code, std::string detail);

// Limits one task of the uploads pool, so that the files of one upload do not delay other uploads.
class UploadTurn {
public:
    void count_file() { ++files_; }
    bool is_over() const { return files_ >= max_files || std::chrono::steady_clock::now() >= end_; }

private:
    static constexpr std::size_t max_files = 64; // each costs several system calls and waits for the disk
    static constexpr std::chrono::milliseconds max_time{50};

    std::size_t files_ = 0;
    std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + max_time;
};

// Empty: the turn is over and more is left to store.
using Stored = std::optional<Rejection>;
inline const Stored stored_all(std::in_place);

// Receives the pieces of a body. Called from the uploads pool, one call at a time.
class UploadSink {
public:
    virtual ~UploadSink() = default;
    // The piece must exist until store() has stored all of it, which it must before the next piece.
    virtual void add(std::span<const std::byte> piece) = 0;
    virtual Stored store(UploadTurn& turn) = 0;
    virtual Rejection finish() = 0;
    std::vector<FileRecord> files;
    std::optional<StorageQuota::Reservation> room{}; // of UploadUse::stored
};

// The body is one file.
std::unique_ptr<UploadSink> make_whole_sink(BlobFactory& files, std::string name);
// The body is a form: parts with a file name become files, at most `max_files`; plain form fields are
// skipped.
std::unique_ptr<UploadSink> make_form_sink(BlobFactory& files, ArrivingModels models,
                                           std::string_view boundary, std::size_t max_files);

enum class UploadUse : std::uint8_t {
    stored,  // becomes assets: the quota counts it
    answered // the request is answered with it, and nothing is kept
};

using ReceivedUpload = std::expected<std::shared_ptr<UploadSink>, api::Problem>;
// Stores the body of an upload, a form or one file or zip with this name, as blobs, or in `memory` if it is
// not null. `request` and `body` must outlive it. Throws MemoryFull.
asio::awaitable<ReceivedUpload> receive_upload(Request& request, std::optional<std::string> name,
                                               UploadUse use, BodySource& body, Context& context,
                                               MemoryFiles* memory = nullptr);

} // namespace vitrine::server
