#pragma once
// Removes blobs that no file of the catalog is made of: what a killed process left (once, after the start)
// and what uploads let go of since: refused ones, broken ones, zips that were unpacked. What an upload holds
// stays, whoever left the same bytes before.

#include <string>
#include <thread>

#include "server/services/catalog/catalog.hpp"
#include "server/services/storage/blob_store.hpp"
#include "server/util/metrics.hpp"

namespace vitrine::server {

class BlobGarbageCollector {
public:
    BlobGarbageCollector(const Catalog& catalog, BlobStore& blobs, Metrics& metrics);

    void start(); // a thread of its own
    void stop();

private:
    void work(const std::stop_token& stop);
    void remove_unreferenced(const std::string& hash);

    const Catalog& catalog_;
    BlobStore& blobs_;
    Metrics& metrics_;
    std::jthread thread_; // last: it uses what is above
};

} // namespace vitrine::server
