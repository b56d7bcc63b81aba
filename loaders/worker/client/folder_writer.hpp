#pragma once
// Takes the contents of a zip in the parent: writes them to a folder, or passes them on. Checks all names and
// sizes sent by the child.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/worker/client/client.hpp"
#include "loaders/worker/files/file_descriptor.hpp"
#include "loaders/worker/protocol/protocol.hpp"

namespace vitrine::worker {

class EntryReceiver {
public:
    explicit EntryReceiver(const Limits& limits) : limits_(limits) {}
    virtual ~EntryReceiver() = default;
    EntryReceiver(const EntryReceiver&) = delete;
    EntryReceiver& operator=(const EntryReceiver&) = delete;

    // An `entry` message starts the next file, or names one that is not sent; a `data` message appends to the
    // file.
    LoadResult<void> take(const Message& message);

protected:
    virtual LoadResult<void> begin(const std::string& name) = 0;
    virtual void skip(const std::string& name) = 0;
    virtual void append(std::string_view bytes) = 0;

private:
    LoadResult<void> check_name(const std::string& name);
    LoadResult<void> check_bytes(std::string_view bytes);

    const Limits& limits_;
    std::size_t entries_ = 0; // with those that are not sent
    bool has_file_ = false;   // that `data` messages are of
    std::uint64_t total_bytes_ = 0;
};

class FolderWriter final : public EntryReceiver {
public:
    // `folder` exists and is empty. Throws std::system_error if it cannot be opened or written (disk full).
    FolderWriter(const std::filesystem::path& folder, const Limits& limits);

    // In the order of the messages; those that were not sent have no path.
    std::vector<BundleFile> files() && { return std::move(files_); }

private:
    LoadResult<void> begin(const std::string& name) override;
    void skip(const std::string& name) override;
    void append(std::string_view bytes) override;
    FileDescriptor make_folder_of(const std::string& name) const;

    std::filesystem::path path_;
    FileDescriptor folder_;
    FileDescriptor file_;
    std::vector<BundleFile> files_;
};

class EntryForwarder final : public EntryReceiver {
public:
    // `sink` outlives it.
    EntryForwarder(const UnpackSink& sink, const Limits& limits) : EntryReceiver(limits), sink_(sink) {}

private:
    LoadResult<void> begin(const std::string& name) override
    {
        sink_.begin(name);
        return {};
    }
    void skip(const std::string&) override {}
    void append(std::string_view bytes) override { sink_.append(bytes); }

    const UnpackSink& sink_;
};

} // namespace vitrine::worker
