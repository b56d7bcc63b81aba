#pragma once
// A disk that a test can fill.

#include <filesystem>

#include <sys/mount.h>

namespace vitrine::server::testing {

// Mounts a small file system in the folder; needs root.
class TinyDisk {
public:
    TinyDisk(const std::filesystem::path& folder, const char* options) : folder_(folder)
    {
        mounted_ = mount("none", folder.c_str(), "tmpfs", 0, options) == 0;
    }
    ~TinyDisk()
    {
        if (mounted_) umount2(folder_.c_str(), MNT_DETACH);
    }
    TinyDisk(const TinyDisk&) = delete;
    TinyDisk& operator=(const TinyDisk&) = delete;
    bool mounted() const { return mounted_; }
    bool make_read_only() { return mount("none", folder_.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, "") == 0; }

private:
    std::filesystem::path folder_;
    bool mounted_ = false;
};

} // namespace vitrine::server::testing
