#pragma once
// Records the syncs of this program: its own fsync and fdatasync replace those of the C library, also for
// SQLite, record the call and make it.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace vitrine::server::testing {

struct SyncCall {
    std::filesystem::path path; // of the file or folder at the time of the call
    std::uint64_t size_bytes = 0;
    std::vector<std::string> entries; // names in a folder, at the time of the call
};

// Records the calls of all threads during its lifetime; only one may exist at a time.
class SyncRecorder {
public:
    SyncRecorder();
    ~SyncRecorder();
    SyncRecorder(const SyncRecorder&) = delete;
    SyncRecorder& operator=(const SyncRecorder&) = delete;

    static std::vector<SyncCall> calls();
};

} // namespace vitrine::server::testing
