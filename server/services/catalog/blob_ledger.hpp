#pragma once
// What servers that share a blob store know of it in common, in their catalog: whose blobs they are, and
// which are damaged. Any thread, blocking. Throws StorageError.

#include <string>

#include "server/services/catalog/catalog.hpp"

namespace vitrine::server {

class BlobLedger {
public:
    // `catalog` outlives the ledger.
    explicit BlobLedger(Catalog& catalog);

    // Of the catalog, unique and the same for all its servers ("catalog_" and 26 letters and digits).
    const std::string& identity() const { return identity_; }
    // A damaged blob is stored again by the next upload of its content, whichever server has it.
    bool is_damaged(const std::string& blob) const;
    void set_damaged(const std::string& blob, bool damaged);

private:
    Catalog& catalog_;
    const std::string identity_;
};

} // namespace vitrine::server
