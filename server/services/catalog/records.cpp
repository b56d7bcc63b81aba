#include "server/services/catalog/records.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace vitrine::server {
namespace {

constexpr std::array<std::string_view, 3> asset_statuses{"importing", "ready", "failed"};
constexpr std::array<std::string_view, 5> job_states{"queued", "running", "succeeded", "failed", "cancelled"};
constexpr std::array<std::string_view, 4> job_stages{"load", "bounds", "thumbnail", "done"};
constexpr std::array<std::string_view, 6> facts{"skeleton", "clips",    "materials",
                                                "warnings", "variants", "bounds"};

template <class Enum, std::size_t N>
std::optional<Enum> find(const std::array<std::string_view, N>& names, std::string_view name)
{
    for (std::size_t i = 0; i < N; ++i)
        if (names[i] == name) return static_cast<Enum>(i);
    return std::nullopt;
}

} // namespace

std::string_view to_string(AssetStatus status)
{
    return asset_statuses[static_cast<std::size_t>(status)];
}

std::string_view to_string(JobState state)
{
    return job_states[static_cast<std::size_t>(state)];
}

std::string_view to_string(JobStage stage)
{
    return job_stages[static_cast<std::size_t>(stage)];
}

std::string_view to_string(AssetDocument fact)
{
    return facts[static_cast<std::size_t>(fact)];
}

std::optional<AssetStatus> find_asset_status(std::string_view name)
{
    return find<AssetStatus>(asset_statuses, name);
}

std::optional<JobState> find_job_state(std::string_view name)
{
    return find<JobState>(job_states, name);
}

std::optional<JobStage> find_job_stage(std::string_view name)
{
    return find<JobStage>(job_stages, name);
}

std::string AssetRecord::etag() const
{
    return fmt::format("\"{}-{}\"", version, revision);
}

} // namespace vitrine::server
