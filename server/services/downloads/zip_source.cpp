#include "server/services/downloads/zip_source.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/base/utf8.hpp"
#include "server/util/clock.hpp"

namespace vitrine::server {
namespace {

constexpr std::uint64_t allocation_bytes = 64; // what the heap adds to two names and a hash
constexpr std::size_t max_report_detail = 300; // bytes

std::unexpected<ServiceError> other_size(const DownloadMember& member)
{
    return make_error(Errc::unavailable, "blob_corrupt",
                      fmt::format("the file {} does not have as many bytes as before", member.name));
}

} // namespace

std::uint64_t memory_bytes_of(std::span<const DownloadMember> members)
{
    std::uint64_t bytes = 0;
    for (const auto& member : members)
        bytes += sizeof(DownloadMember) + 2 * ZipStream::member_bytes + member.name.size() +
                 member.blob.size() + member.asset.size() + allocation_bytes;
    return bytes;
}

Result<MemberContent> ZipSource::open_file(const DownloadMember& member) const
{
    auto blob = blobs_.find_local(member.blob);
    if (!blob) return std::unexpected(blob.error());
    auto file = open_blob(*blob);
    if (!file) return missing_blob(member.blob);
    if (file->size_bytes() != member.size_bytes) return other_size(member);
    return MemberContent{
        .size_bytes = member.size_bytes,
        .read = [blob = std::move(*blob), file = std::move(*file)](std::uint64_t offset, std::size_t count) {
            return file.read(offset, count, blob.path);
        }};
}

// No member is open afterwards if an export could not be made.
Result<void> ZipSource::open_member(std::string& out)
{
    auto& member = members_[at_];
    auto content = member.blob.empty() ? make_export_(member) : open_file(member);
    if (!content && member.blob.empty()) {
        report_ += fmt::format("{}\t{}\t{}: {}\n", member.name, member.asset, content.error().code,
                               truncate_utf8(content.error().detail, max_report_detail));
        members_[at_++] = {};
        return {};
    }
    if (!content) return std::unexpected(content.error());
    zip_.begin_member(member.name, member.seconds, content->size_bytes, out);
    open_ = OpenMember{.content = std::move(*content)};
    return {};
}

Result<void> ZipSource::read_member(std::string& out)
{
    auto& member = members_[at_];
    const auto left = open_->content.size_bytes - open_->offset;
    const auto count = std::min<std::uint64_t>(left, zip_source_piece_bytes);
    const auto bytes = open_->content.read(open_->offset, count);
    if (bytes.size() != count) return other_size(member);
    zip_.add(bytes, out);
    open_->offset += count;
    if (count < left) return {};
    zip_.end_member(out);
    open_.reset();
    members_[at_++] = {}; // its name is in the archive now
    return {};
}

void ZipSource::write_report(std::string& out)
{
    if (report_.empty()) return;
    zip_.begin_member(export_report_name, now() / 1'000'000, report_.size(), out);
    zip_.add(std::as_bytes(std::span(report_)), out);
    zip_.end_member(out);
    report_.clear();
}

Result<std::string> ZipSource::next()
{
    std::string out;
    while (out.size() < zip_source_piece_bytes && at_ < members_.size()) {
        // Each export takes long: what is before it is sent first.
        if (!open_ && members_[at_].blob.empty() && !out.empty()) return out;
        if (!open_)
            if (const auto opened = open_member(out); !opened) return std::unexpected(opened.error());
        if (!open_) continue;
        if (const auto read = read_member(out); !read) return std::unexpected(read.error());
    }
    if (at_ == members_.size() && out.size() < zip_source_piece_bytes) {
        write_report(out);
        zip_.finish(out);
    }
    return out;
}

} // namespace vitrine::server
