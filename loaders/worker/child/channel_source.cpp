#include "loaders/worker/child/channel_source.hpp"

#include <algorithm>
#include <stdexcept>

#include "loaders/io/limits.hpp"
#include "loaders/worker/files/game_package.hpp"
#include "loaders/worker/files/surroundings.hpp"

namespace vitrine::worker {

ChannelSource::ChannelSource(MessageSocket& channel, const LoaderJob& job)
    : channel_(channel), job_(job), sorted_(job.names)
{
    std::ranges::sort(sorted_);
    for (std::uint32_t i = 0; i < job.names.size(); ++i)
        index_of_.emplace(job.names[i], i);
}

std::optional<Bytes> ChannelSource::open(std::string_view name)
{
    if (const auto found = index_of_.find(name); found != index_of_.end()) return fetch(found->second);
    const auto sought = package_files_.find(name);
    return sought != package_files_.end() && sought->second ? std::optional(sought->second->bytes())
                                                            : std::nullopt;
}

bool ChannelSource::may_seek(std::string_view name) const
{
    if (name.starts_with("../"))
        return job_.surroundings == SurroundingsAccess::readable && is_name_above(name);
    return job_.package != PackageAccess::none && may_request_from_package(name);
}

bool ChannelSource::can_open_outside(std::string_view name)
{
    if (!may_seek(name)) return false;
    const auto [known, is_new] = package_files_.try_emplace(std::string(name));
    if (!is_new || package_files_.size() + beside_.size() > max_package_lookups)
        return known->second.has_value();
    if (!channel_.send({MessageType::open_outside, 0, known->first}))
        throw std::runtime_error("the parent has closed the channel");
    known->second = receive_file(known->first);
    return known->second.has_value();
}

std::string ChannelSource::find_in_sibling_folders(std::string_view name)
{
    if (job_.surroundings == SurroundingsAccess::none || !is_sibling_image_name(name)) return {};
    const auto [known, is_new] = beside_.try_emplace(std::string(name));
    if (!is_new || package_files_.size() + beside_.size() > max_package_lookups) return known->second;
    if (!channel_.send({MessageType::find_sibling_image, 0, known->first}))
        throw std::runtime_error("the parent has closed the channel");
    std::string found_name;
    auto file = receive_file(known->first, &found_name);
    if (!file || !is_name_above(found_name)) return {};
    package_files_[found_name] = std::move(file);
    return known->second = found_name;
}

std::optional<Bytes> ChannelSource::fetch(std::uint32_t index)
{
    const auto [known, is_new] = files_.try_emplace(index);
    if (is_new) {
        if (!channel_.send({MessageType::open, index, {}}))
            throw std::runtime_error("the parent has closed the channel");
        known->second = receive_file(job_.names[index]);
    }
    return known->second ? std::optional(known->second->bytes()) : std::nullopt;
}

std::optional<MemoryMapping> ChannelSource::receive_file(const std::string& name, std::string* found_name)
{
    const auto answer = channel_.receive(Wait::yes);
    if (answer.status != ReceiveStatus::message)
        throw std::runtime_error("the parent has closed the channel");
    const std::uint64_t size = answer.message.value;
    if (found_name != nullptr) *found_name = answer.message.payload;
    if (answer.descriptors.empty() || !within_limits(name, size)) return std::nullopt;
    auto file = MemoryMapping::map(answer.descriptors[0].get(), size);
    if (!file) throw std::bad_alloc();
    total_bytes_ += size;
    return file;
}

bool ChannelSource::within_limits(const std::string& name, std::uint64_t size)
{
    const auto& limits = job_.limits;
    if (size > limits.file_bytes)
        limit_error_ = io::limit_exceeded_error(name, "the file of " + std::to_string(size) + " bytes",
                                                "file_bytes", limits.file_bytes)
                           .error();
    else if (size > limits.total_bytes - std::min(total_bytes_, limits.total_bytes))
        limit_error_ =
            io::limit_exceeded_error(name, "the bytes of all files", "total_bytes", limits.total_bytes)
                .error();
    else
        return true;
    return false;
}

} // namespace vitrine::worker
