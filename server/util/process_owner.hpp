#pragma once
// Identifies the process that owns a lease, so that a restart on the same machine need not wait for its
// expiry.

#include <string>

namespace vitrine::server {

// Returns "machine/boot/pid/start" of this process.
std::string process_owner();
// Returns true if `owner` was a process of this machine that has ended; false also if this is unknown.
bool is_dead(const std::string& owner);

} // namespace vitrine::server
