#include "server/services/s3/s3_hand_over.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "server/util/ids.hpp"

namespace vitrine::server {
namespace {

constexpr unsigned hand_over_threads = 8;           // of one request
constexpr std::size_t max_pending_removals = 1'000; // requests; more are left to the collection of blobs

} // namespace

std::string handed_over_key(const std::string& place, const std::string& hash)
{
    return fmt::format("{}{}/{}", handed_folder, place, hash);
}

S3HandOver::S3HandOver(S3Client& client, S3Client& remover)
    : client_(client), remover_(remover), thread_([this](const std::stop_token& stop) { remove_ended(stop); })
{
}

void S3HandOver::Removals::add(std::vector<std::string> ended)
{
    {
        const std::lock_guard lock(mutex);
        if (keys.size() >= max_pending_removals) return;
        keys.push_back(std::move(ended));
    }
    changed.notify_one();
}

BlobHandOver S3HandOver::send(std::span<const std::string> hashes, BlobCache& cache)
{
    BlobHandOver handed{.place = new_id("place")};
    const std::set<std::string> distinct(hashes.begin(), hashes.end());
    const std::vector<std::string> files(distinct.begin(), distinct.end());
    std::vector<std::string> keys;
    for (const auto& hash : files)
        keys.push_back(handed_over_key(handed.place, hash));
    handed.kept = {nullptr, [removals = removals_, keys](const void*) { removals->add(keys); }};
    for_each_parallel(files.size(), hand_over_threads, [&](std::size_t i) {
        const auto local = cache.find(files[i]);
        if (!local) throw StorageError(StorageError::Kind::failed, "the copy of an upload is missing");
        client_.put_file(keys[i], local->path, files[i]);
    });
    return handed;
}

void S3HandOver::remove_ended(const std::stop_token& stop)
{
    for (;;) {
        std::vector<std::string> keys;
        {
            std::unique_lock lock(removals_->mutex);
            if (!removals_->changed.wait(lock, stop, [&] { return !removals_->keys.empty(); })) return;
            keys = std::move(removals_->keys.front());
            removals_->keys.pop_front();
        }
        try {
            for_each_parallel(keys.size(), hand_over_threads,
                              [&](std::size_t i) { remover_.remove(keys[i]); });
        } catch (const std::exception& error) { // the collection of blobs does it later
            spdlog::debug("msg=\"files of a request not removed yet\" error={:?}",
                          std::string_view(error.what()));
        }
    }
}

} // namespace vitrine::server
