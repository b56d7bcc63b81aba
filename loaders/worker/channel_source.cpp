#include "loaders/worker/channel_source.hpp"

#include <algorithm>
#include <stdexcept>

#include "loaders/io/limits.hpp"

namespace vitrine::worker {

ChannelSource::ChannelSource(Channel& channel, const Job& job)
    : channel_(channel), job_(job), sorted_(job.names)
{
    std::ranges::sort(sorted_);
    for (std::uint32_t i = 0; i < job.names.size(); ++i)
        index_of_.emplace(job.names[i], i);
}

std::optional<Bytes> ChannelSource::open(std::string_view name)
{
    const auto found = index_of_.find(name);
    if (found == index_of_.end()) return std::nullopt;
    return fetch(found->second);
}

std::optional<Bytes> ChannelSource::fetch(std::uint32_t index)
{
    if (const auto known = files_.find(index); known != files_.end())
        return known->second ? std::optional(known->second->bytes()) : std::nullopt;
    auto& file = files_[index];
    if (!channel_.send({MessageType::open, index, {}})) throw std::runtime_error("the parent is gone");
    const auto answer = channel_.receive(Wait::yes);
    if (answer.status != Received::message) throw std::runtime_error("the parent is gone");
    const std::uint64_t size = answer.message.value;
    if (answer.descriptors.empty() || !within_limits(job_.names[index], size)) return std::nullopt;
    file = Mapping::of(answer.descriptors[0].get(), size);
    if (!file) throw std::bad_alloc();
    total_bytes_ += size;
    return file->bytes();
}

bool ChannelSource::within_limits(const std::string& name, std::uint64_t size)
{
    const auto& limits = job_.limits;
    if (size > limits.file_bytes)
        passed_limit_ = io::over_limit(name, "the file of " + std::to_string(size) + " bytes is more",
                                       "file_bytes", limits.file_bytes)
                            .error();
    else if (size > limits.total_bytes - std::min(total_bytes_, limits.total_bytes))
        passed_limit_ =
            io::over_limit(name, "the files together have more bytes", "total_bytes", limits.total_bytes)
                .error();
    else
        return true;
    return false;
}

} // namespace vitrine::worker
