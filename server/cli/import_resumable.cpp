// Uploads of large files: each by tus (https://tus.io/protocols/resumable-upload), so that a connection that
// breaks, or a command that is ended and started again, goes on where it was.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loaders/io/base64.hpp"
#include "server/cli/import.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::cli {
namespace {

namespace fs = std::filesystem;

constexpr int max_attempts = 8; // without any new byte
constexpr std::chrono::milliseconds first_pause{250};

struct OpenedUpload {
    std::string path; // "/v1/uploads/ID"
    std::uint64_t offset = 0;
};

// Statuses after which the same request may succeed.
bool is_temporary(const Reply& reply)
{
    constexpr std::array<long, 6> statuses{408, 409, 429, 502, 503, 504};
    return !reply.failure.empty() || std::ranges::find(statuses, reply.status) != statuses.end();
}

// The same for a later command with the unchanged file on this machine.
std::string key_of(const worker::BundleFile& file)
{
    struct stat facts{};
    if (::stat(file.path.c_str(), &facts) != 0) return {};
    std::array<char, 256> host{};
    ::gethostname(host.data(), host.size() - 1);
    return "import-" +
           server::sha256_hex(fmt::format("{}\n{}\n{}\n{} {} {}.{:09}", host.data(),
                                          fs::absolute(file.path).string(), file.name, facts.st_ino,
                                          facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec));
}

class ResumableUpload {
public:
    ResumableUpload(ImportClient& client, const worker::BundleFile& file, const ImportProgress& progress)
        : client_(client), file_(file), progress_(progress), size_(fs::file_size(file.path)),
          in_(std::fopen(file.path.c_str(), "rb"), std::fclose)
    {
    }

    // Returns the path of the finished upload, or the reply that says why there is none.
    std::expected<std::string, Reply> run()
    {
        if (!in_) return std::unexpected(Reply{.failure = file_.path.string() + " cannot be read"});
        auto opened = open(key_of(file_));
        // What an earlier command has uploaded was used.
        if (!opened && opened.error().status == 404) opened = open({});
        if (!opened) return std::unexpected(opened.error());
        while (opened->offset < size_) {
            const auto before = opened->offset;
            const auto sent = send_rest(*opened);
            if (sent.status == 204 && opened->offset == size_) break;
            if (!is_temporary(sent) || client_.stopped()) return std::unexpected(sent);
            if (!find_offset(*opened) || opened->offset == before) {
                if (++attempts_ >= max_attempts) return std::unexpected(sent);
                pause();
            } else {
                attempts_ = 0;
            }
        }
        return opened->path;
    }

private:
    std::expected<OpenedUpload, Reply> open(const std::string& key)
    {
        std::vector<std::string> fields{"Tus-Resumable: 1.0.0", fmt::format("Upload-Length: {}", size_),
                                        "Upload-Metadata: filename " + io::encode_base64(file_.name)};
        if (!key.empty()) fields.push_back("Idempotency-Key: " + key);
        auto reply = client_.send("POST", "/v1/uploads", {}, fields);
        for (; is_temporary(reply) && ++attempts_ < max_attempts && !client_.stopped(); pause())
            reply = client_.send("POST", "/v1/uploads", {}, fields);
        attempts_ = 0;
        const auto path = reply.location.find("/v1/uploads/");
        if (reply.status != 201 || path == reply.location.npos) return std::unexpected(reply);
        return OpenedUpload{reply.location.substr(path), reply.upload_offset.value_or(0)};
    }

    Reply send_rest(OpenedUpload& upload)
    {
        if (::fseeko(in_.get(), static_cast<off_t>(upload.offset), SEEK_SET) != 0)
            return {.failure = file_.path.string() + " cannot be read"};
        auto shown = progress_;
        const double whole = progress_.end - progress_.begin;
        shown.begin += whole * static_cast<double>(upload.offset) / static_cast<double>(size_);
        auto reply =
            client_.send_file("PATCH", upload.path, {in_.get(), size_ - upload.offset},
                              {"Tus-Resumable: 1.0.0", "Content-Type: application/offset+octet-stream",
                               fmt::format("Upload-Offset: {}", upload.offset)},
                              shown);
        if (reply.status == 204) upload.offset = reply.upload_offset.value_or(upload.offset);
        return reply;
    }

    bool find_offset(OpenedUpload& upload)
    {
        const auto reply = client_.get_with(upload.path, {"Tus-Resumable: 1.0.0"});
        if (reply.status != 200 || !reply.upload_offset) return false;
        upload.offset = *reply.upload_offset;
        return true;
    }

    void pause() const { std::this_thread::sleep_for(first_pause * (1 << std::min(attempts_, 5))); }

    ImportClient& client_;
    const worker::BundleFile& file_;
    const ImportProgress& progress_;
    std::uint64_t size_;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> in_;
    int attempts_ = 0;
};

} // namespace

std::uint64_t bytes_of(const std::vector<worker::BundleFile>& files)
{
    std::uint64_t bytes = 0;
    std::error_code error;
    for (const auto& file : files) {
        const auto size = fs::file_size(file.path, error);
        if (!error) bytes += size;
    }
    return bytes;
}

Reply upload_resumable(ImportClient& client, const std::vector<worker::BundleFile>& files,
                       const ImportProgress& progress, const std::string& target)
{
    const auto all = static_cast<double>(std::max<std::uint64_t>(bytes_of(files), 1));
    boost::json::array uploads;
    auto shown = progress;
    for (const auto& file : files) {
        shown.begin = shown.end;
        if (uploads.empty()) shown.begin = progress.begin;
        shown.end = shown.begin + static_cast<double>(fs::file_size(file.path)) / all;
        const auto path = ResumableUpload(client, file, shown).run();
        if (!path) return path.error();
        uploads.push_back(
            boost::json::object{{"id", path->substr(path->rfind('/') + 1)}, {"name", file.name}});
    }
    const auto body = boost::json::serialize(boost::json::object{{"uploads", std::move(uploads)}});
    // The uploads exist once: of a repeated request whose first response was lost it is the same.
    const auto key = "Idempotency-Key: import-" + server::sha256_hex(body);
    auto reply = client.send("POST", target, body, {key});
    for (int attempt = 1; !reply.failure.empty() && attempt < max_attempts && !client.stopped(); ++attempt) {
        std::this_thread::sleep_for(first_pause * (1 << std::min(attempt, 5)));
        reply = client.send("POST", target, body, {key});
    }
    return reply;
}

} // namespace vitrine::cli
