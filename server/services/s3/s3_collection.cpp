#include "server/services/s3/s3_collection.hpp"

#include <algorithm>
#include <random>
#include <string_view>

#include <spdlog/spdlog.h>

namespace vitrine::server {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr seconds max_interval{6 * 3600}; // between two collections

} // namespace

// The next page of old blobs; empty if the collection has ended or the store gives no answer.
std::vector<std::string> S3Collection::next_candidates()
{
    try {
        if (!ownership_.confirm()) return {};
        if (continuation_.empty()) remove_leftovers(client_, config_.grace, config_.mark_life);
        do {
            const auto page = client_.list(std::string(blobs_folder), continuation_);
            continuation_ = page.continuation;
            if (auto hashes = list_old_blobs(page, config_.grace); !hashes.empty()) return hashes;
        } while (!continuation_.empty());
    } catch (const StorageError& error) {
        continuation_.clear();
        spdlog::warn("msg=\"unused blobs not listed\" error={:?}", std::string_view(error.what()));
    }
    return {};
}

// Returns whether a stop was requested.
bool S3Collection::wait_until(steady_clock::time_point time, const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    stopped_.wait_until(lock, stop, time, [] { return false; });
    return stop.stop_requested();
}

std::vector<std::string> S3Collection::wait_for_candidates(const std::stop_token& stop)
{
    std::minstd_rand random{std::random_device{}()};
    const auto interval = std::clamp(config_.grace / 4, seconds(1), max_interval);
    if (continuation_.empty() && wait_until(started_ + config_.first_collection, stop)) return {};
    while (!stop.stop_requested()) {
        if (continuation_.empty()) { // servers that were started together do not list together
            std::uniform_int_distribution<seconds::rep> wait(interval.count() * 500, interval.count() * 1000);
            if (wait_until(steady_clock::now() + std::chrono::milliseconds(wait(random)), stop)) break;
        }
        if (auto hashes = next_candidates(); !hashes.empty()) return hashes;
    }
    return {};
}

} // namespace vitrine::server
