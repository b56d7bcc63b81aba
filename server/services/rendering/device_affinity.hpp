#pragma once
// Which of several devices an asset belongs to, so that its scene lies on one of them only: rendezvous
// hashing (Thaler and Ravishankar 1998). When a device goes, its assets move and no other; when it comes back
// they return.

#include <cstddef>
#include <span>
#include <string_view>

namespace vitrine::server {

// One of `open`, which is not empty: numbers of devices.
std::size_t select_device(std::string_view model, std::span<const std::size_t> open);

} // namespace vitrine::server
