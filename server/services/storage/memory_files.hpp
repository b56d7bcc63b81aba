#pragma once
// Files of one request in memory, which are no blobs: nothing of them is on the disk, and they end with the
// last BlobRef::pin, or with the process.

#include <cstdint>
#include <exception>
#include <memory>

#include "server/services/storage/blob_store.hpp"
#include "server/util/byte_budget.hpp"

namespace vitrine::server {

// Thrown by the writers.
class MemoryFull final : public std::exception {
public:
    explicit MemoryFull(bool is_too_large) : is_too_large_(is_too_large) {}
    const char* what() const noexcept override { return "no memory for the files of a request"; }
    // The request alone has more than the limit; otherwise there is room when others have ended.
    bool is_too_large() const { return is_too_large_; }

private:
    bool is_too_large_;
};

// Used by one thread at a time, as its writers are. They are independent of its lifetime.
class MemoryFiles final : public BlobFactory {
public:
    // `budget`: of all requests; `limit_bytes`: of it.
    MemoryFiles(std::shared_ptr<ByteBudget> budget, std::uint64_t limit_bytes);

    // Takes room for a body of this size before it arrives. Throws MemoryFull.
    void reserve(std::uint64_t bytes);
    std::unique_ptr<BlobWriter> create() override;

private:
    struct Room;
    class Writer;

    std::shared_ptr<Room> room_;
};

} // namespace vitrine::server
