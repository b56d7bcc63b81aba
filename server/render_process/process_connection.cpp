#include "server/render_process/process_connection.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "loaders/base/printable.hpp"
#include "server/render_process/render_child.hpp"

namespace vitrine::render_process {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t max_text_bytes = 2000; // of errors and log lines
constexpr int max_log_lines = 100;           // of one reply; more are dropped
// A process that is killed ends at once, unless the driver holds it in a system call that cannot be
// interrupted.
constexpr std::chrono::seconds kill_timeout{5};
// Of a process that ends by itself: it stores its pipelines.
constexpr std::chrono::seconds end_timeout{5};

// Beginnings of the names of variables with secrets, which this process does not read: the server's token,
// and how to sign in to its database and its object store.
constexpr std::array<std::string_view, 5> secret_variables{"VITRINE_TOKEN", "VITRINE_DATABASE", "VITRINE_S3_",
                                                           "AWS_", "PG"};

bool may_be_secret(std::string_view variable)
{
    return std::ranges::any_of(secret_variables, [&](auto name) { return variable.starts_with(name); });
}

// What drivers of graphics devices need is not known, so that the rest of the environment is passed on.
std::vector<char*> child_environment()
{
    std::vector<char*> variables;
    for (char** at = environ; at != nullptr && *at != nullptr; ++at)
        if (!may_be_secret(*at)) variables.push_back(*at);
    variables.push_back(nullptr);
    return variables;
}

worker::ChildProcess start_process(const ProcessOptions& options, FileDescriptor socket)
{
    auto process = worker::ChildProcess::start({.kind = "render process",
                                                .program = options.program,
                                                .arguments = {child_argument},
                                                .environment = child_environment(),
                                                .inherits_stderr = true},
                                               std::move(socket));
    if (!process) throw std::runtime_error(process.error().detail);
    return std::move(*process);
}

std::string describe_end(std::optional<int> status)
{
    if (!status) return "it cannot be killed";
    if (!WIFSIGNALED(*status)) return fmt::format("it has ended with status {}", WEXITSTATUS(*status));
    const char* name = ::sigabbrev_np(WTERMSIG(*status));
    return fmt::format("it was terminated by SIG{}", name != nullptr ? name : "?");
}

} // namespace

ProcessConnection::ProcessConnection(const ProcessOptions& options,
                                     std::function<void(const std::string&)> log)
    : ProcessConnection(options, std::move(log), make_stream_pair())
{
}

ProcessConnection::ProcessConnection(const ProcessOptions& options,
                                     std::function<void(const std::string&)> log, StreamPair ends)
    : options_(options), log_(std::move(log)), stream_(std::move(ends.server)),
      process_(start_process(options, std::move(ends.process)))
{
    int pipe[2];
    if (::pipe2(pipe, O_CLOEXEC | O_NONBLOCK) != 0)
        throw std::system_error(errno, std::generic_category(), "pipe2");
    notices_.reset(pipe[0]);
    notices_write_.reset(pipe[1]);
}

ProcessConnection::~ProcessConnection()
{
    if (!loss_.empty()) return; // killed
    if (!device_lost_) {
        stream_.close();
        if (process_.wait(steady_clock::now() + end_timeout)) return;
    }
    process_.kill_until(steady_clock::now() + kill_timeout);
}

void ProcessConnection::begin()
{
    if (!loss_.empty()) throw render::DeviceLost(loss_);
    deadline_ = steady_clock::now() + options_.call_timeout;
}

Ready ProcessConnection::start(const StartDevice& message, std::chrono::milliseconds timeout)
{
    deadline_ = steady_clock::now() + timeout;
    send(message, notices_write_.get());
    notices_write_.reset();
    return require<Ready>(receive(RenderMessageType::ready, small_reply_bytes));
}

void ProcessConnection::send_bytes(RenderMessageType type, const std::string& bytes, int descriptor)
{
    if (!loss_.empty()) throw render::DeviceLost(loss_);
    const auto sent = stream_.send({.type = static_cast<std::uint32_t>(type)}, bytes, deadline_, descriptor);
    if (!sent) lose(sent.error());
}

std::string ProcessConnection::receive(RenderMessageType expected, std::uint64_t max_bytes)
{
    for (int lines = 0;;) {
        if (steady_clock::now() > deadline_) lose(StreamError::timed_out);
        auto received = stream_.receive(std::max(max_bytes, small_reply_bytes), deadline_);
        if (!received) lose(received.error());
        work_time_ = std::max(work_time_, std::chrono::nanoseconds(received->work_ns));
        if (received->type == expected) return std::move(received->bytes);
        if (received->type == RenderMessageType::failed) rethrow(received->bytes);
        if (received->type != RenderMessageType::log) lose("it has sent an unexpected message");
        log(received->bytes, lines);
    }
}

void ProcessConnection::log(const std::string& bytes, int& count)
{
    const auto message = require<Log>(bytes);
    if (log_ && ++count <= max_log_lines) log_(printable(message.line, max_text_bytes));
}

void ProcessConnection::rethrow(const std::string& bytes)
{
    const auto failed = require<Failed>(bytes);
    const auto text = printable(failed.text, max_text_bytes);
    switch (failed.failure) {
    case FailureKind::render_error: throw render::RenderError(text);
    case FailureKind::undrawable: throw render::Undrawable(text);
    case FailureKind::too_large_for_device: throw render::TooLargeForDevice(text);
    case FailureKind::device_lost: device_lost_ = true; throw render::DeviceLost(text);
    case FailureKind::other: break;
    }
    throw std::runtime_error(text);
}

void ProcessConnection::lose(const std::string& reason)
{
    process_.kill_until(steady_clock::now() + kill_timeout);
    loss_ = "the render process was killed: " + reason;
    throw render::DeviceLost(loss_);
}

void ProcessConnection::lose(StreamError error)
{
    if (error == StreamError::timed_out) lose("it has not answered in time");
    if (error == StreamError::invalid) lose("it has sent an invalid message");
    // The system closes the socket shortly before the process can be waited for.
    auto status = process_.wait(steady_clock::now() + kill_timeout);
    if (!status) status = process_.kill_until(steady_clock::now() + kill_timeout);
    loss_ = "the render process has failed: " + describe_end(status);
    throw render::DeviceLost(loss_);
}

bool ProcessConnection::read_notice() noexcept
{
    ObjectId id = 0;
    const auto got = ::read(notices_.get(), &id, sizeof id);
    if (got == sizeof id) {
        finished_ = std::max(finished_, id);
        return true;
    }
    if (got >= 0 || (errno != EAGAIN && errno != EINTR)) notices_ended_ = true;
    return false;
}

void ProcessConnection::read_finished() noexcept
{
    const std::unique_lock lock(notices_mutex_, std::try_to_lock);
    while (lock && !notices_ended_ && read_notice()) {
    }
}

bool ProcessConnection::wait_finished(ObjectId ticket) noexcept
{
    const std::lock_guard lock(notices_mutex_);
    const auto deadline = steady_clock::now() + options_.call_timeout;
    while (finished_ < ticket && !notices_ended_) {
        if (read_notice()) continue;
        pollfd ready{notices_.get(), POLLIN, 0};
        if (::poll(&ready, 1, worker::milliseconds_until(deadline)) == 0) return false;
    }
    return true;
}

} // namespace vitrine::render_process
