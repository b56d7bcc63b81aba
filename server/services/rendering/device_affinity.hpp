#pragma once
// Selects one of several devices for an asset, so that its scene is uploaded to one of them only: rendezvous
// hashing (Thaler and Ravishankar 1998). When a device is lost, only its assets move; when it returns, they
// return.

#include <cstddef>
#include <span>
#include <string_view>

namespace vitrine::server {

// Returns one of `open`, which are device numbers and not empty.
std::size_t select_device(std::string_view content_hash, std::span<const std::size_t> open);

} // namespace vitrine::server
