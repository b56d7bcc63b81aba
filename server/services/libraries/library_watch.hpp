#pragma once
// Watches the folders of libraries by inotify. One thread.

#include <map>
#include <set>
#include <string>
#include <vector>

namespace vitrine::server {

class LibraryWatch {
public:
    LibraryWatch(); // without inotify it watches nothing
    ~LibraryWatch();
    LibraryWatch(const LibraryWatch&) = delete;
    LibraryWatch& operator=(const LibraryWatch&) = delete;

    struct Watched {
        bool is_complete = false; // else some folders are not watched
        bool is_new = false;      // some were not watched before: changes since the scan may be missed
    };
    // Watches these folders of a library, and no others of it. `folders`: below `root`.
    Watched watch(const std::string& library, const std::string& root,
                  const std::vector<std::string>& folders);
    void forget(const std::string& library);

    int descriptor() const { return descriptor_; } // readable when something has changed; -1: never
    // Does not block. The libraries whose files have changed; all, if changes were lost.
    std::set<std::string> read();

private:
    void end(int watch);

    int descriptor_;
    std::map<int, std::string> libraries_;                      // by watch
    std::map<std::string, std::map<std::string, int>> watches_; // of each library, by path
};

} // namespace vitrine::server
