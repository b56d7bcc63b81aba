#pragma once
// The loader process's whole life: says hello, takes one job, confines itself, does it, answers.

#include <span>

#include "loaders/worker/child/formats.hpp"
#include "loaders/worker/protocol/descriptor.hpp"

namespace vitrine::worker {

// Exit status. Throws nothing.
int run_child(Descriptor socket, std::span<const Format> formats) noexcept;

} // namespace vitrine::worker
