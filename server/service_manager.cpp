#include "server/service_manager.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "loaders/base/parse_whole.hpp"

namespace vitrine::server {
namespace {

constexpr timeval send_timeout{.tv_sec = 1, .tv_usec = 0};

// NOLINTBEGIN(concurrency-mt-unsafe): before other threads read the environment
std::string take_variable(const char* name)
{
    const char* const value = std::getenv(name);
    std::string text = value ? value : "";
    ::unsetenv(name); // not for child processes
    return text;
}
// NOLINTEND(concurrency-mt-unsafe)

} // namespace

ServiceManager::ServiceManager(boost::asio::io_context& io, WorkPool& pool)
    : pool_(pool), socket_(take_variable("NOTIFY_SOCKET")), timer_(io)
{
    const auto interval = parse_whole<std::int64_t>(take_variable("WATCHDOG_USEC"));
    const auto process = take_variable("WATCHDOG_PID");
    const bool is_ours = process.empty() || process == std::to_string(::getpid());
    if (!socket_.empty() && interval && *interval > 0 && is_ours)
        interval_ = std::chrono::microseconds(*interval);
}

void ServiceManager::ready(std::string_view status)
{
    send(fmt::format("READY=1\nSTATUS={}", status), 0);
    wait_for_beat();
}

void ServiceManager::stopping()
{
    send("STOPPING=1", 0);
    interval_ = {};
    timer_.cancel(); // it would keep `io` running
}

void ServiceManager::wait_for_beat()
{
    if (interval_.count() == 0) return;
    timer_.expires_after(interval_ / 2);
    timer_.async_wait([this](const boost::system::error_code& cancelled) {
        if (cancelled) return;
        beat();
        wait_for_beat();
    });
}

// A full pool works.
void ServiceManager::beat()
{
    if (is_waiting_.exchange(true)) return;
    auto answer = [this] {
        is_waiting_ = false;
        send("WATCHDOG=1", MSG_DONTWAIT); // needless while it has unread ones
    };
    if (!pool_.post(answer)) answer();
}

void ServiceManager::send(const std::string& message, int flags) const
{
    sockaddr_un address{};
    if (socket_.empty() || socket_.size() >= sizeof(address.sun_path)) return;
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, socket_.data(), socket_.size());
    if (socket_.front() == '@') address.sun_path[0] = '\0';
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
    const int descriptor = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return;
    ::setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &send_timeout, sizeof(send_timeout));
    const auto sent = ::sendto(descriptor, message.data(), message.size(), MSG_NOSIGNAL | flags,
                               reinterpret_cast<const sockaddr*>(&address), length);
    if (sent < 0 && flags == 0)
        spdlog::warn("msg=\"the service manager cannot be told\" error={:?}",
                     std::generic_category().message(errno));
    ::close(descriptor);
}

} // namespace vitrine::server
