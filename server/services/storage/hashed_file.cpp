#include "server/services/storage/hashed_file.hpp"

#include <system_error>

#include "server/util/ids.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {
namespace {

constexpr std::size_t buffer_bytes = 256 * 1024;     // writes of fewer bytes are combined
constexpr std::size_t large_write_bytes = 64 * 1024; // is not copied into the buffer
constexpr std::size_t write_back_bytes = 8ull << 20; // the disk writes while a large blob arrives

} // namespace

HashedFile::HashedFile(const fs::path& folder)
    : path_(folder / (new_id("blob") + ".part")), file_(OpenFile::create(path_))
{
}

HashedFile::~HashedFile()
{
    std::error_code ignored;
    if (!moved_) fs::remove(path_, ignored);
}

void HashedFile::write(std::span<const std::byte> bytes)
{
    size_bytes_ += bytes.size();
    if (buffer_.size() + bytes.size() > buffer_bytes) flush();
    if (bytes.size() >= large_write_bytes) {
        flush();
        store(bytes);
    } else
        buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

std::string HashedFile::finish()
{
    flush();
    return hash_.finish();
}

void HashedFile::move_to(const fs::path& target)
{
    rename_file(path_, target);
    moved_ = true;
}

void HashedFile::flush()
{
    store(buffer_);
    buffer_.clear();
}

void HashedFile::store(std::span<const std::byte> bytes)
{
    file_.write(bytes, path_);
    hash_.update(bytes);
    stored_bytes_ += bytes.size();
    if (stored_bytes_ - written_back_bytes_ < write_back_bytes) return;
    file_.start_writing_back(written_back_bytes_, stored_bytes_ - written_back_bytes_);
    written_back_bytes_ = stored_bytes_;
}

} // namespace vitrine::server
