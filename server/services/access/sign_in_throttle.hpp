#pragma once
// Slows attempts to find passwords: of one name from one address, of any name from one address, and of one
// name from any address. In the memory of one process. Any thread.

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "server/util/clock.hpp"

namespace vitrine::server {

class SignInThrottle {
public:
    // `max_entries`: names and addresses that are known at the same time; more, and those are forgotten that
    // have failed longest ago.
    explicit SignInThrottle(std::size_t max_entries = 30'000) : max_entries_(max_entries) {}

    // Counts an attempt as failed until succeed(), so that attempts at the same time count too. Returns 0, or
    // the seconds after which the next one is allowed, which then does not count. `address`: as
    // Request::client; of an IPv6 address only the first 64 bits count.
    unsigned begin(std::string_view name, std::string_view address, Micros time);
    // The attempt has succeeded: the name may be tried from the address as before its failures.
    void succeed(std::string_view name, std::string_view address);

private:
    struct Failures {
        unsigned count = 0;
        Micros last = 0;
    };
    struct Limit {
        unsigned free = 0; // failures without a delay
        Micros longest = 0;
    };
    static Micros end_of_delay(const Failures& failures, const Limit& limit);
    void forget(Micros time);

    const std::size_t max_entries_;
    std::mutex mutex_;
    std::unordered_map<std::string, Failures> failures_;
};

} // namespace vitrine::server
