#pragma once
// inotify over folders and their subfolders. Hidden files and folders are skipped; symbolic links are not
// followed.

#include <filesystem>
#include <map>
#include <vector>

namespace vitrine::cli {

enum class FileChange { writing, written, removed };

struct FolderEvent {
    std::filesystem::path path;
    FileChange change = FileChange::written;
};

class FolderWatch {
public:
    FolderWatch(); // throws std::system_error
    ~FolderWatch();
    FolderWatch(const FolderWatch&) = delete;
    FolderWatch& operator=(const FolderWatch&) = delete;

    // Watches `folder` and returns an event "written" for every file in it. Throws std::system_error.
    std::vector<FolderEvent> add(const std::filesystem::path& folder);
    int descriptor() const { return descriptor_; } // readable when there are events
    // Does not block. Watches new folders too.
    std::vector<FolderEvent> read();
    bool watches(const std::filesystem::path& folder) const;

private:
    void scan(const std::filesystem::path& folder, std::vector<FolderEvent>& found);
    void take(int watch, unsigned mask, const char* name, std::vector<FolderEvent>& events);

    int descriptor_;
    std::map<int, std::filesystem::path> folders_; // by watch descriptor
};

} // namespace vitrine::cli
