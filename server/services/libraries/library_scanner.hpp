#pragma once
// Scans libraries when they are due: at a request, after a change that inotify reports, and now and then. Its
// thread scans one library at a time; other processes of the database scan others.

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <thread>

#include "server/services/catalog/catalog.hpp"
#include "server/services/importing/upload_ingest.hpp"
#include "server/services/libraries/library_table.hpp"
#include "server/services/libraries/library_watch.hpp"
#include "server/services/storage/blob_store.hpp"

namespace vitrine::server {

class LibraryScanner {
public:
    // All outlive it. `blobs`: with the files of libraries.
    LibraryScanner(Catalog& catalog, Ingest& ingest, BlobStore& blobs, LibraryOptions options);
    ~LibraryScanner() { stop(); }

    void start();
    void interrupt(); // a running scan ends soon; before loader processes are killed
    void stop();

    const LibraryTable& table() const { return table_; }
    const LibraryOptions& options() const { return options_; }

    // Scans or removes a library that is due, on this thread; not while start() runs. False: none is. Throws
    // StorageError.
    bool scan_next(const std::stop_token& stop = {});

private:
    using ScanClock = std::chrono::steady_clock;

    void work(const std::stop_token& stop);
    void wait(int wake);
    void request_changed();
    void scan(const LibraryClaim& claim, const std::stop_token& stop);
    void remove(const LibraryClaim& claim, const std::stop_token& stop);
    bool watch(const Library& library, const std::vector<std::string>& folders);
    void scan_after(const std::string& library, ScanClock::duration pause);

    Catalog& catalog_;
    Ingest& ingest_;
    BlobStore& blobs_;
    const LibraryOptions options_;
    LibraryTable table_;
    LibraryWatch watch_;                                // of the thread
    std::map<std::string, ScanClock::time_point> due_;  // scans that changes ask for; of the thread
    std::map<std::string, ScanClock::time_point> rest_; // not before; of the thread
    std::jthread thread_;                               // last, because it uses the members above
};

// A blob store with the files of libraries: blobs that the other store does not have are read where they are.
// Nothing is copied, and nothing is written in a library. A file is read as a blob only while its size and
// time are those of the index; its bytes are compared with the hash when it is first read, and again when
// its status has changed.
// `catalog` outlives the store; it may be constructed later than the store.
std::unique_ptr<BlobStore> make_library_blob_store(std::unique_ptr<BlobStore> other, Catalog& catalog,
                                                   LibraryOptions options);

} // namespace vitrine::server
