#pragma once
// The bytes of an archive, made as they are read: memory holds one piece. One thread at a time, blocking.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "server/services/downloads/download_plan.hpp"
#include "server/services/downloads/zip_stream.hpp"
#include "server/util/files.hpp"

namespace vitrine::server {

inline constexpr std::size_t zip_source_piece_bytes = 256 * 1024;

// Memory of the members and of what the archive keeps of them for its directory.
std::uint64_t memory_bytes_of(std::span<const DownloadMember> members);

// The bytes of a member.
struct MemberContent {
    std::uint64_t size_bytes = 0;
    // Fewer than `count`: there are no more. Throws StorageError.
    std::move_only_function<std::vector<std::byte>(std::uint64_t offset, std::size_t count)> read;
};

class ZipSource {
public:
    using MakeExport = std::function<Result<MemberContent>(const DownloadMember&)>;

    // `blobs` outlives the object. `make_export`: of members that are exports, when their turn comes.
    ZipSource(const BlobStore& blobs, std::vector<DownloadMember> members, MakeExport make_export = {})
        : blobs_(blobs), members_(std::move(members)), make_export_(std::move(make_export))
    {
    }

    // About zip_source_piece_bytes, or less after an export; empty at the end. An export that cannot be made
    // is a line of the member export_report_name, which is the last one. Errors: those of
    // BlobStore::find_local(), unavailable ("blob_corrupt": a file has another size); then the archive cannot
    // be completed. Throws StorageError, and what MakeExport throws.
    Result<std::string> next();

private:
    struct OpenMember {
        MemberContent content;
        std::uint64_t offset = 0;
    };
    Result<MemberContent> open_file(const DownloadMember& member) const;
    Result<void> open_member(std::string& out);
    Result<void> read_member(std::string& out);
    void write_report(std::string& out);

    const BlobStore& blobs_;
    std::vector<DownloadMember> members_;
    MakeExport make_export_;
    std::string report_{}; // of exports that could not be made
    std::size_t at_ = 0;   // the member that is open or comes next
    std::optional<OpenMember> open_{};
    ZipStream zip_{};
};

} // namespace vitrine::server
