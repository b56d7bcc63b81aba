#include "server/services/workers/worker_registration.hpp"

#include <array>
#include <exception>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "server/util/clock.hpp"
#include "server/util/ids.hpp"

namespace vitrine::server {
namespace {

std::string host_and_process()
{
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '?';
    return fmt::format("{}:{}", host.data(), ::getpid());
}

} // namespace

WorkerRegistration::WorkerRegistration(const WorkerDirectory& directory, Describe describe,
                                       std::chrono::milliseconds interval)
    : directory_(directory), describe_(std::move(describe)), interval_(interval), id_(new_id("worker")),
      name_(host_and_process()), created_(now())
{
}

api::Worker WorkerRegistration::current() const
{
    auto worker = describe_();
    worker.id = id_;
    worker.name = name_;
    worker.started = created_;
    worker.heartbeat = now();
    worker.is_alive = true;
    return worker;
}

void WorkerRegistration::beat()
{
    try {
        directory_.put(current());
        failed_ = false;
    } catch (const std::exception& error) {
        if (!std::exchange(failed_, true))
            spdlog::error("msg=\"this worker is not visible to other processes\" error={:?}",
                          std::string_view(error.what()));
    }
}

void WorkerRegistration::start()
{
    beat();
    thread_ = std::jthread([this](const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        while (!stopped_.wait_for(lock, stop, interval_, [&] { return stop.stop_requested(); }))
            beat();
    });
}

void WorkerRegistration::stop()
{
    if (!thread_.joinable()) return;
    thread_ = {};
    try {
        directory_.remove(id_);
    } catch (const std::exception& error) {
        spdlog::warn("msg=\"row of this worker not removed; it is ignored in a few seconds\" error={:?}",
                     std::string_view(error.what()));
    }
}

} // namespace vitrine::server
