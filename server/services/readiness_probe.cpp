#include "server/services/readiness_probe.hpp"

#include <exception>
#include <string>
#include <utility>

#include <spdlog/spdlog.h>

#include "server/util/files.hpp"

namespace vitrine::server {

using std::chrono::steady_clock;

ReadinessProbe::ReadinessProbe(const Catalog& catalog, std::filesystem::path data, const Times& times)
    : catalog_(catalog), data_(std::move(data)), times_(times)
{
    look();
}

void ReadinessProbe::start()
{
    thread_ = std::jthread([this](const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        while (!stopped_.wait_for(lock, stop, times_.interval, [&] { return stop.stop_requested(); })) {
            lock.unlock();
            look();
            lock.lock();
        }
    });
}

void ReadinessProbe::stop()
{
    thread_ = {};
}

void ReadinessProbe::look()
{
    State state{.free_bytes = free_bytes(data_)};
    std::string failure;
    try {
        catalog_.check();
        state.catalog = true;
    } catch (const std::exception& error) {
        failure = error.what();
    }
    const std::lock_guard lock(mutex_);
    if (state_.catalog && !state.catalog)
        spdlog::error("msg=\"the catalog cannot be read\" error={:?}", failure);
    state_ = state;
    looked_ = steady_clock::now();
}

ReadinessProbe::State ReadinessProbe::state() const
{
    const std::lock_guard lock(mutex_);
    auto state = state_;
    state.catalog = state.catalog && steady_clock::now() - looked_ <= times_.max_age;
    return state;
}

} // namespace vitrine::server
