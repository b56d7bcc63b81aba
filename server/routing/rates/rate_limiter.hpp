#pragma once
// Counts requests by who sends them. The memory is fixed: a table of 65,536 entries. Any thread; but for
// share(), waits for nothing but another count of the same part of the table.

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/routing/rates/rate_limits.hpp"

namespace vitrine::server {

// What is left of a limit after a request.
struct RateStatus {
    RateClass rate_class = RateClass::reads;
    RateLimit limit{}; // not set: there is none
    std::uint32_t remaining = 0;
    std::uint32_t reset_s = 0; // seconds until all of the limit may be used again
    std::uint32_t wait_s = 0;  // until the next request is allowed; 0: this one was
    bool must_share = false;   // not counted: call share(), which may block, and then count() again

    bool is_limited() const { return limit.is_set(); }
    bool is_rejected() const { return wait_s > 0; }
};

// Values of RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10).
std::string rate_policy_field(const RateStatus& status); // "reads";q=600;w=60
std::string rate_limit_field(const RateStatus& status);  // "reads";r=599;t=1
// Both fields as lines of a head, without parsing formats: for responses that take microseconds.
std::string rate_field_lines(const RateStatus& status);

class RateLimiter {
public:
    using Time = std::chrono::steady_clock::time_point;

    // Adds the requests of a sender and a class, named by `id`, to those that other processes have counted:
    // they take `spent` of the limit, and the first one was `age` ago. Returns the time until all of the
    // limit is available again. Empty: nothing was added. Called by share().
    using AddToShared = std::function<std::optional<std::chrono::nanoseconds>(
        std::string_view id, std::chrono::nanoseconds spent, std::chrono::nanoseconds age)>;

    // `add`: empty: no other process counts.
    explicit RateLimiter(AddToShared add = {});
    // Counts one request at `now` unless it exceeds the limit. `sender` is who sends it; senders and classes
    // are counted apart. By the generic cell rate algorithm (ITU-T I.371): a time for each sender, from which
    // all of its limit is available again. `asks`: whether it may end with must_share.
    RateStatus count(std::string_view sender, RateClass rate_class, const RateLimit& limit, Time now,
                     bool asks = true);
    // Tells other processes what this one has counted and learns what they have, if count() asks for it.
    void share(std::string_view sender, RateClass rate_class, const RateLimit& limit, Time now);
    // Requests that a process counts alone before it shares them.
    static std::uint32_t unshared_limit(const RateLimit& limit);

    // Entries of which one is replaced by a new sender: the one whose limit is available again first.
    static constexpr std::size_t ways = 8;
    static constexpr std::size_t sets = 8192;

private:
    struct Entry {
        std::uint64_t key = 0;      // keyed hash of class and sender; 0: unused
        std::int64_t full = 0;      // nanoseconds of the clock at which all of the limit is available again
        std::int64_t first = 0;     // when the first of the unshared was counted; nanoseconds
        std::uint32_t unshared = 0; // requests
    };
    using Set = std::array<Entry, ways>;
    struct EntryKey {
        std::uint64_t key = 0;
        std::size_t set = 0;
    };
    static EntryKey key_of(std::string_view sender, RateClass rate_class);
    static Entry& entry_of(Set& set, std::uint64_t key);
    std::optional<Entry> take_unshared(const EntryKey& at, const RateLimit& limit);
    void give_back(const EntryKey& at, const Entry& taken);

    const AddToShared add_;
    std::vector<Set> table_;
    std::array<std::mutex, 64> mutexes_; // each for every 64th set
    std::array<std::mutex, 64> sharing_; // the same; held while add_ runs
};

} // namespace vitrine::server
