#include "server/services/storage/memory_files.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>

#include "server/util/error.hpp"
#include "server/util/files.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

OpenFile make_memory_file()
{
    const int descriptor = ::memfd_create("vitrine request", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) throw_storage_error(errno, "create", "a file in memory");
    return OpenFile(descriptor);
}

} // namespace

struct MemoryFiles::Room {
    Room(std::shared_ptr<ByteBudget> budget, std::uint64_t limit_bytes)
        : reservation(std::move(budget)), limit(limit_bytes)
    {
    }
    void reserve(std::uint64_t bytes)
    {
        if (bytes <= reserved) return;
        if (bytes > limit) throw MemoryFull(true);
        if (!reservation.grow_to(bytes)) throw MemoryFull(false);
        reserved = bytes;
    }

    ByteReservation reservation;
    const std::uint64_t limit;
    std::uint64_t reserved = 0, used = 0; // bytes
};

class MemoryFiles::Writer final : public BlobWriter {
public:
    explicit Writer(std::shared_ptr<Room> room) : room_(std::move(room)), file_(make_memory_file()) {}

    void write(std::span<const std::byte> bytes) override
    {
        room_->reserve(room_->used + bytes.size());
        room_->used += bytes.size();
        file_.write(bytes, "a file in memory");
        hash_.update(bytes);
        size_bytes_ += bytes.size();
    }
    std::uint64_t size_bytes() const override { return size_bytes_; }

    BlobRef commit() override
    {
        ::fcntl(file_.descriptor(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
        struct Kept {
            std::shared_ptr<Room> room; // outlives the file
            OpenFile file;
        };
        auto kept = std::make_shared<const Kept>(room_, std::move(file_));
        const int descriptor = kept->file.descriptor();
        return {.hash = hash_.finish(),
                .size_bytes = size_bytes_,
                .pin = std::move(kept),
                .descriptor = descriptor};
    }

private:
    std::shared_ptr<Room> room_;
    OpenFile file_;
    Sha256 hash_;
    std::uint64_t size_bytes_ = 0;
};

MemoryFiles::MemoryFiles(std::shared_ptr<ByteBudget> budget, std::uint64_t limit_bytes)
    : room_(std::make_shared<Room>(std::move(budget), limit_bytes))
{
}

void MemoryFiles::reserve(std::uint64_t bytes)
{
    room_->reserve(bytes);
}

std::unique_ptr<BlobWriter> MemoryFiles::create()
{
    return std::make_unique<Writer>(room_);
}

} // namespace vitrine::server
