#pragma once
// Which process holds a lease, so that a restart on the same machine need not wait until it runs out.

#include <string>

namespace vitrine::server {

// "host/boot/pid/start" of this process.
std::string process_owner();
// True when `owner` was a process of this machine that is no more; false also when nobody can say.
bool is_dead(const std::string& owner);

} // namespace vitrine::server
