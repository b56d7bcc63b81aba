#pragma once
// Bytes that several threads read: of images in the cache and in responses.

#include <cstddef>
#include <memory>
#include <vector>

namespace vitrine::server {

using SharedBytes = std::shared_ptr<const std::vector<std::byte>>;

} // namespace vitrine::server
