#include "tests/unit/server/services/storage/sync_calls.hpp"

#include <mutex>

#include <sys/syscall.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace vitrine::server::testing {
namespace {

std::mutex calls_mutex; // NOLINT: the C library's functions have no object to keep it in
bool recording = false;
std::vector<SyncCall> noted;

SyncCall describe(int descriptor)
{
    SyncCall call;
    std::error_code error;
    call.path = fs::read_symlink("/proc/self/fd/" + std::to_string(descriptor), error);
    if (fs::is_directory(call.path, error))
        for (const auto& entry : fs::directory_iterator(call.path, error))
            call.entries.push_back(entry.path().filename().string());
    else
        call.size_bytes = fs::file_size(call.path, error);
    return call;
}

void note(int descriptor)
{
    const std::lock_guard lock(calls_mutex);
    if (recording) noted.push_back(describe(descriptor));
}

} // namespace

SyncRecorder::SyncRecorder()
{
    const std::lock_guard lock(calls_mutex);
    recording = true;
    noted.clear();
}

SyncRecorder::~SyncRecorder()
{
    const std::lock_guard lock(calls_mutex);
    recording = false;
}

std::vector<SyncCall> SyncRecorder::calls()
{
    const std::lock_guard lock(calls_mutex);
    return noted;
}

} // namespace vitrine::server::testing

extern "C" int fsync(int descriptor)
{
    vitrine::server::testing::note(descriptor);
    return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

extern "C" int fdatasync(int descriptor)
{
    vitrine::server::testing::note(descriptor);
    return static_cast<int>(::syscall(SYS_fdatasync, descriptor));
}
