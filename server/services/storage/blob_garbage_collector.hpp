#pragma once
// Removes blobs that no file of the catalog refers to: those left by a killed process (once, after the
// start, not for a shared store), and those released by uploads since: rejected or aborted uploads, and
// unpacked zips. Blobs pinned by an upload are kept.

#include <string>
#include <thread>

#include "server/services/catalog/catalog.hpp"
#include "server/services/storage/blob_store.hpp"
#include "server/util/metrics.hpp"

namespace vitrine::server {

class BlobGarbageCollector {
public:
    BlobGarbageCollector(const Catalog& catalog, BlobStore& blobs, Metrics& metrics);

    void start(); // starts the thread
    void stop();

private:
    void work(const std::stop_token& stop);
    bool may_remove(); // a shared store is not emptied by a server with a new or wrong catalog
    void remove_unreferenced(const std::string& hash);

    const Catalog& catalog_;
    BlobStore& blobs_;
    Metrics& metrics_;
    bool reported_ = false; // why nothing is removed; of the thread
    std::jthread thread_;   // last, because it uses the members above
};

} // namespace vitrine::server
