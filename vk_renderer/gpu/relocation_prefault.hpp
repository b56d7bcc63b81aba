#pragma once
// Maps the pages of libraries that are being loaded in which the dynamic linker stores addresses. It takes a
// page fault for each otherwise: 2,700 of LLVM, half of the time in which Mesa's software driver is loaded.

#include <thread>

namespace vitrine::render {

// Works on a thread of its own while it exists.
class RelocationPrefault {
public:
    RelocationPrefault();

private:
    std::jthread thread_;
};

} // namespace vitrine::render
