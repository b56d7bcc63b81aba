#include "loaders/worker/client/folder_writer.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include "loaders/base/printable.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/worker/files/bundle_names.hpp"

namespace vitrine::worker {
namespace {

constexpr std::string_view zip_too_large = "the contents of the zip";
constexpr int folder_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

// Errors that a name alone can cause; all others are failures of the environment.
bool names_collide(int error)
{
    return error == EEXIST || error == ENOTDIR || error == EISDIR || error == ELOOP;
}

} // namespace

FolderWriter::FolderWriter(const std::filesystem::path& folder, const Limits& limits)
    : EntryReceiver(limits), path_(folder),
      folder_(require_descriptor(::open(folder.c_str(), folder_flags), "open folder"))
{
}

LoadResult<void> EntryReceiver::take(const Message& message)
{
    if (message.type == MessageType::entry) {
        auto begun = check_name(message.payload);
        if (!begun) return begun;
        has_file_ = message.value != skipped;
        if (has_file_)
            begun = begin(message.payload);
        else
            skip(message.payload);
        if (begun) ++entries_;
        return begun;
    }
    auto checked = check_bytes(message.payload);
    if (checked) append(message.payload);
    return checked;
}

LoadResult<void> EntryReceiver::check_name(const std::string& name)
{
    if (!is_normalized_name(name))
        return fail(LoadErrc::malformed, printable(name, 100), "the name of a zip entry cannot be used");
    if (entries_ >= limits_.zip_entries)
        return io::limit_exceeded_error({}, zip_too_large, "zip_entries", limits_.zip_entries);
    return {};
}

LoadResult<void> EntryReceiver::check_bytes(std::string_view bytes)
{
    if (!has_file_) return fail(LoadErrc::crashed, {}, "the loader process sent data without a file");
    if (bytes.size() > limits_.zip_bytes - total_bytes_)
        return io::limit_exceeded_error({}, zip_too_large, "zip_bytes", limits_.zip_bytes);
    total_bytes_ += bytes.size();
    return {};
}

void FolderWriter::skip(const std::string& name)
{
    file_.reset();
    files_.push_back({name, {}});
}

LoadResult<void> FolderWriter::begin(const std::string& name)
{
    const auto parent = make_folder_of(name);
    const std::string base(io::base_name(name));
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    file_.reset(parent.valid() ? ::openat(parent.get(), base.c_str(), flags, 0644) : -1);
    if (!file_.valid() && names_collide(errno))
        return fail(LoadErrc::malformed, name, "the zip uses the name for a file and a folder");
    if (!file_.valid()) throw std::system_error(errno, std::generic_category(), "write " + name);
    files_.push_back({name, path_ / name});
    return {};
}

// Creates folders step by step, so that no link can lead outside. Invalid with errno if a step fails.
FileDescriptor FolderWriter::make_folder_of(const std::string& name) const
{
    FileDescriptor at(::openat(folder_.get(), ".", folder_flags));
    for (std::size_t from = 0, slash = 0; at.valid(); from = slash + 1) {
        slash = name.find('/', from);
        if (slash == std::string::npos) break;
        const std::string part = name.substr(from, slash - from);
        if (::mkdirat(at.get(), part.c_str(), 0755) != 0 && errno != EEXIST) return FileDescriptor();
        at = FileDescriptor(::openat(at.get(), part.c_str(), folder_flags));
    }
    return at;
}

void FolderWriter::append(std::string_view bytes)
{
    while (!bytes.empty()) {
        const auto count = ::write(file_.get(), bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw std::system_error(errno, std::generic_category(), "write " + files_.back().name);
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

} // namespace vitrine::worker
