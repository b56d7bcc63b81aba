#pragma once
// Descriptors that come with the bytes of a Unix socket (SCM_RIGHTS).

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <sys/socket.h>

#include "loaders/worker/files/file_descriptor.hpp"

namespace vitrine::worker {

inline constexpr std::size_t descriptor_limit = 4; // of one call

struct alignas(cmsghdr) ControlBuffer {
    std::array<char, CMSG_SPACE(descriptor_limit * sizeof(int))> bytes{};
};

// For sendmsg(): `header` refers to `control`. Sends at most descriptor_limit.
void attach_descriptors(msghdr& header, ControlBuffer& control, std::span<const int> descriptors);

// For recvmsg(): `header` refers to `control`. The kernel closes descriptors that do not fit, and all of them
// without this call.
void accept_descriptors(msghdr& header, ControlBuffer& control);

// Of a header that recvmsg() has filled; close-on-exec if its flags say so.
std::vector<FileDescriptor> take_descriptors(msghdr& header);

} // namespace vitrine::worker
