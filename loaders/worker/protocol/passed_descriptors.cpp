#include "loaders/worker/protocol/passed_descriptors.hpp"

#include <algorithm>
#include <cstring>

namespace vitrine::worker {

void attach_descriptors(msghdr& header, ControlBuffer& control, std::span<const int> descriptors)
{
    if (descriptors.empty()) return;
    const auto sent = descriptors.first(std::min(descriptors.size(), descriptor_limit));
    header.msg_control = control.bytes.data();
    header.msg_controllen = CMSG_SPACE(sent.size_bytes());
    cmsghdr* part = CMSG_FIRSTHDR(&header);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(sent.size_bytes());
    std::memcpy(CMSG_DATA(part), sent.data(), sent.size_bytes());
}

void accept_descriptors(msghdr& header, ControlBuffer& control)
{
    header.msg_control = control.bytes.data();
    header.msg_controllen = control.bytes.size();
}

std::vector<FileDescriptor> take_descriptors(msghdr& header)
{
    std::vector<FileDescriptor> found;
    for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr; part = CMSG_NXTHDR(&header, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
        const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int fd = -1;
            std::memcpy(&fd, CMSG_DATA(part) + i * sizeof fd, sizeof fd);
            found.emplace_back(fd);
        }
    }
    return found;
}

} // namespace vitrine::worker
