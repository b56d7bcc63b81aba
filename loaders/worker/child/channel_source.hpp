#pragma once
// The Source of the loader process: requests a file from the parent on first use and maps it. Used only in
// the child.

#include <map>
#include <string>
#include <vector>

#include "loaders/io/input.hpp"
#include "loaders/worker/files/memory_mapping.hpp"
#include "loaders/worker/protocol/message_socket.hpp"

namespace vitrine::worker {

class ChannelSource final : public Source {
public:
    // Both arguments must outlive this object.
    ChannelSource(MessageSocket& channel, const LoaderJob& job);

    const std::string& main_name() const override { return job_.names[job_.main]; }
    const std::vector<std::string>& names() const override { return sorted_; }
    bool is_whole_upload() const override { return job_.scope == Scope::upload; }
    bool needs_pixels() const override { return job_.pixels == PixelResult::returned; }
    std::optional<Bytes> open(std::string_view name) override;
    bool can_open_outside(std::string_view name) override;
    std::string find_in_sibling_folders(std::string_view name) override;

    // Set if open() rejected a file because of its size; the whole job then fails with this error.
    const std::optional<LoadError>& limit_error() const { return limit_error_; }

private:
    std::optional<Bytes> fetch(std::uint32_t index);
    bool may_seek(std::string_view name) const;
    std::optional<MemoryMapping> receive_file(const std::string& name, std::string* found_name = nullptr);
    bool within_limits(const std::string& name, std::uint64_t size);

    MessageSocket& channel_;
    const LoaderJob& job_;
    std::vector<std::string> sorted_;
    std::map<std::string, std::uint32_t, std::less<>> index_of_;
    std::map<std::uint32_t, std::optional<MemoryMapping>> files_;
    // By name; files of the package around the job's files.
    std::map<std::string, std::optional<MemoryMapping>, std::less<>> package_files_;
    std::map<std::string, std::string, std::less<>> beside_; // file name -> name in package_files_, or empty
    std::uint64_t total_bytes_ = 0;
    std::optional<LoadError> limit_error_;
};

} // namespace vitrine::worker
