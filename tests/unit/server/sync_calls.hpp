#pragma once
// What this program syncs to the disk: its own fsync and fdatasync stand before those of the C library, in
// SQLite too, note the call and make it.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace vitrine::server::testing {

struct SyncCall {
    std::filesystem::path path; // of the file or folder at the time of the call
    std::uint64_t size_bytes = 0;
    std::vector<std::string> entries; // of a folder, at the time of the call
};

// Notes every call of any thread while it lives; one at a time.
class SyncRecorder {
public:
    SyncRecorder();
    ~SyncRecorder();
    SyncRecorder(const SyncRecorder&) = delete;
    SyncRecorder& operator=(const SyncRecorder&) = delete;

    static std::vector<SyncCall> calls();
};

} // namespace vitrine::server::testing
