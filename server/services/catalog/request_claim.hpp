#pragma once
// Claims of Idempotency-Keys by requests that must not be done twice.

#include <optional>
#include <string>

#include "server/services/catalog/catalog.hpp"

namespace vitrine::server {

struct RequestClaim {
    bool reused_for_different_request = false; // the key was used by a different request
    bool is_running = false;                   // an earlier, identical request has no response yet
    std::optional<StoredResponse> response{};  // to an earlier, identical request
};

struct KeyLimits {
    Micros lifetime = 24ll * 60 * 60 * 1'000'000;
    Micros running = 2ll * 60 * 1'000'000; // a request without a response after that has ended without one
    long long keys = 100'000;              // of all; older ones are forgotten
};

// As Catalog::claim_key(), whose store_response() or release_key() follows, and tells whether the first
// request still runs.
RequestClaim claim_request(DatabaseConnections& connections, const std::string& key,
                           const std::string& content, Micros instant = now(), const KeyLimits& limits = {});

} // namespace vitrine::server
