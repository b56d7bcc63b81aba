#pragma once
// Main function of the loader process: sends hello, receives one job, enters the sandbox, runs the job,
// replies.

#include <span>

#include "loaders/worker/child/formats.hpp"
#include "loaders/worker/files/file_descriptor.hpp"

namespace vitrine::worker {

// Returns the exit status.
int run_child(FileDescriptor socket, std::span<const Format> formats) noexcept;

} // namespace vitrine::worker
