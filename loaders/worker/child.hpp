#pragma once
// The loader process's whole life: says hello, takes one job, confines itself, does it, answers.

#include <span>

#include "loaders/worker/descriptor.hpp"
#include "loaders/worker/formats.hpp"

namespace vitrine::worker {

// Exit status. Throws nothing.
int run_child(Descriptor socket, std::span<const Format> formats) noexcept;

} // namespace vitrine::worker
