#include "loaders/worker/client/job_session.hpp"

#include <array>
#include <functional>

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>

#include "loaders/worker/client/syscall_names.hpp"
#include "loaders/worker/files/game_package.hpp"
#include "loaders/worker/files/regular_file.hpp"
#include "loaders/worker/files/surroundings.hpp"
#include "loaders/worker/protocol/message_socket.hpp"
#include "loaders/worker/protocol/process.hpp"
#include "loaders/worker/protocol/sanitizers.hpp"

namespace vitrine::worker {
namespace {

using namespace std::chrono_literals;

std::filesystem::path program_of(const ClientOptions& options)
{
    if (!options.program.empty()) return options.program;
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "vitrine-loader";
}

void write_all(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const auto count = ::write(fd, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw std::system_error(errno, std::generic_category(), "write to memory");
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

LoadError broken_protocol(std::string detail)
{
    return {LoadErrc::crashed, {}, "the loader process violated the protocol: " + std::move(detail)};
}

LoadError forbidden(std::uint64_t syscall)
{
    return {LoadErrc::crashed,
            {},
            "the loader process was stopped because it tried to " + describe_syscall(syscall) +
                ", which is forbidden"};
}

// A descriptor that is readable after a stop was requested.
class StopDescriptor {
public:
    explicit StopDescriptor(const std::stop_token& stop)
        : event_(require_descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")),
          callback_(stop, [this] { ::eventfd_write(event_.get(), 1); })
    {
    }
    int descriptor() const { return event_.get(); }

private:
    FileDescriptor event_; // must outlive the callback
    std::stop_callback<std::function<void()>> callback_;
};

class Session {
public:
    Session(const std::vector<BundleFile>& files, const ClientOptions& options, const EntrySink& sink,
            ChildProcess process, FileDescriptor socket)
        : files_(files), sink_(sink), on_opened_(options.opened), opened_(files.size(), false),
          process_(std::move(process)), channel_(std::move(socket)),
          deadline_(std::chrono::steady_clock::now() + options.deadline), limit_(options.deadline),
          stop_(options.stop), package_(options.package), folder_(options.folder)
    {
    }

    // Consumes the session.
    LoadResult<ChildProcess> run(const LoaderJob& job, int result);

private:
    LoadResult<Message> next();
    LoadResult<void> receive_hello(const LoaderJob& job, int result);
    LoadResult<void> serve(const Message& message);
    LoadResult<void> serve_file(std::uint64_t index);
    LoadResult<void> serve_outside_file(const std::string& name);
    LoadResult<void> serve_sibling_image(const std::string& name);
    bool may_open_outside(const std::string& name);
    LoadResult<void> answer(const RegularFile& file, const std::string& name = {});
    void report_opened(const RegularFile& file, const std::filesystem::path& folder,
                       const std::string& name) const;
    LoadError end_error();
    LoadError timeout_error() const;

    const std::vector<BundleFile>& files_;
    const EntrySink& sink_;
    const std::function<void(const BundleFile&)>& on_opened_;
    std::vector<bool> opened_;
    ChildProcess process_;
    MessageSocket channel_;
    Deadline deadline_;
    std::chrono::milliseconds limit_;
    StopDescriptor stop_;
    const std::filesystem::path& package_;
    const std::filesystem::path& folder_;
    std::optional<SiblingFolders> sibling_folders_; // set by the first request
    std::size_t outside_lookups_ = 0;
};

LoadResult<ChildProcess> Session::run(const LoaderJob& job, int result)
{
    if (auto hello_received = receive_hello(job, result); !hello_received)
        return std::unexpected(hello_received.error());
    for (;;) {
        auto message = next();
        if (!message) return std::unexpected(message.error());
        if (message->type == MessageType::error) {
            process_.finish(deadline_);
            return std::unexpected(to_error(*message));
        }
        if (message->type == MessageType::forbidden) return std::unexpected(forbidden(message->value));
        if (message->type == MessageType::done) break;
        if (auto served = serve(*message); !served) return std::unexpected(served.error());
    }
    process_.finish(deadline_); // its memory is freed while the caller reads the result
    return std::move(process_);
}

// The job is sent only after the child's first message: if the parent had died before the child asked to be
// killed with it, no job is sent.
LoadResult<void> Session::receive_hello(const LoaderJob& job, int result)
{
    auto hello = next();
    if (!hello) return std::unexpected(hello.error());
    if (hello->type != MessageType::hello || hello->value != protocol_version)
        return std::unexpected(broken_protocol("its version differs from that of this program"));
    const auto bytes = make_memory_file("vitrine job");
    write_all(bytes.get(), encode_job(job));
    const std::array<int, 2> descriptors{bytes.get(), result};
    if (!channel_.send({MessageType::job, 0, {}}, descriptors, Wait::no)) return std::unexpected(end_error());
    return {};
}

// The child's next message. Messages sent before it died are still read.
LoadResult<Message> Session::next()
{
    std::array<pollfd, 3> watched{pollfd{channel_.descriptor(), POLLIN, 0},
                                  pollfd{process_.descriptor(), POLLIN, 0},
                                  pollfd{stop_.descriptor(), POLLIN, 0}};
    for (;;) {
        const int remaining_ms = milliseconds_until(deadline_);
        const int count = ::poll(watched.data(), watched.size(), remaining_ms);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw std::system_error(errno, std::generic_category(), "poll");
        if (watched[2].revents != 0)
            return fail(LoadErrc::timed_out, {},
                        "the loader process was stopped because its result is no longer needed");
        if (remaining_ms == 0)
            return std::unexpected(timeout_error()); // also if the child sends messages without end
        auto incoming = channel_.receive(Wait::no);
        switch (incoming.status) {
        case ReceiveStatus::message: return std::move(incoming.message);
        case ReceiveStatus::broken: return std::unexpected(broken_protocol("invalid message"));
        case ReceiveStatus::closed: return std::unexpected(end_error());
        case ReceiveStatus::nothing:
            if (watched[1].revents != 0) return std::unexpected(end_error());
        }
    }
}

LoadResult<void> Session::serve(const Message& message)
{
    switch (message.type) {
    case MessageType::open: return serve_file(message.value);
    case MessageType::open_outside: return serve_outside_file(message.payload);
    case MessageType::find_sibling_image: return serve_sibling_image(message.payload);
    case MessageType::entry:
    case MessageType::data:
        if (sink_) return sink_(message);
        [[fallthrough]];
    default: return std::unexpected(broken_protocol("unexpected message"));
    }
}

// Opens each file once, so that a child cannot make the parent open files without end.
LoadResult<void> Session::serve_file(std::uint64_t index)
{
    if (index >= files_.size() || opened_[index])
        return std::unexpected(broken_protocol("it requested a file that is not allowed"));
    opened_[index] = true;
    if (on_opened_) on_opened_(files_[index]);
    const auto& file = files_[index];
    return answer(file.descriptor >= 0 ? reopen_regular(file.descriptor) : open_regular(file.path));
}

bool Session::may_open_outside(const std::string& name)
{
    if (++outside_lookups_ > max_package_lookups) return false;
    if (name.starts_with("../")) return !folder_.empty() && is_name_above(name);
    return !package_.empty() && may_request_from_package(name);
}

// Allows a limited number of requests, and only images below the package's root and files above the model's
// folder.
LoadResult<void> Session::serve_outside_file(const std::string& name)
{
    if (!may_open_outside(name))
        return std::unexpected(broken_protocol("it requested a file that is not allowed"));
    const bool is_above = name.starts_with("../");
    const auto file = as_regular(is_above ? open_above(folder_, name) : open_beneath(package_, name));
    report_opened(file, is_above ? folder_ : package_, name);
    return answer(file);
}

LoadResult<void> Session::serve_sibling_image(const std::string& name)
{
    if (folder_.empty() || ++outside_lookups_ > max_package_lookups || !is_sibling_image_name(name))
        return std::unexpected(broken_protocol("it requested a file that is not allowed"));
    if (!sibling_folders_) sibling_folders_ = folders_beside(folder_);
    for (const auto& folder : sibling_folders_->names) {
        const auto file = as_regular(open_beside(*sibling_folders_, folder, name));
        if (!file.descriptor.valid()) continue;
        const auto candidate = fmt::format("../{}{}{}", folder, folder.empty() ? "" : "/", name);
        report_opened(file, folder_, candidate);
        return answer(file, candidate);
    }
    return answer({});
}

void Session::report_opened(const RegularFile& file, const std::filesystem::path& folder,
                            const std::string& name) const
{
    if (on_opened_ && file.descriptor.valid()) on_opened_({name, (folder / name).lexically_normal()});
}

LoadResult<void> Session::answer(const RegularFile& file, const std::string& name)
{
    const int fd = file.descriptor.get();
    const std::span<const int> descriptors(&fd, file.descriptor.valid() ? 1u : 0u);
    const std::uint64_t size = file.descriptor.valid() ? file.size : absent;
    if (!channel_.send({MessageType::file, size, name}, descriptors, Wait::no))
        return std::unexpected(end_error());
    return {};
}

// The channel was closed: the child exits, or is killed after a while; the error is then the missing reply.
LoadError Session::end_error()
{
    const auto grace = std::chrono::steady_clock::now() + 500ms;
    if (const auto status = process_.wait(std::min(deadline_, grace))) return describe_exit(*status);
    return broken_protocol("it closed the channel before the end of the job");
}

LoadError Session::timeout_error() const
{
    return {LoadErrc::timed_out,
            {},
            "the loader process did not end within " + std::to_string(limit_.count()) + " ms"};
}

} // namespace

FileDescriptor make_memory_file(const char* name)
{
    return require_descriptor(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING), "memfd_create");
}

LoadResult<StartedLoader> start_loader(const ClientOptions& options)
{
    auto ends = make_socket_pair();
    auto process = ChildProcess::start(
        {.kind = "loader process", .program = program_of(options), .environment = loader_environment()},
        std::move(ends.child));
    if (!process) return std::unexpected(process.error());
    if (options.started) options.started();
    return StartedLoader{std::move(*process), std::move(ends.parent)};
}

LoadResult<ChildProcess> run_job(LoadResult<StartedLoader> loader, const LoaderJob& job,
                                 const std::vector<BundleFile>& files, int result,
                                 const ClientOptions& options, const EntrySink& sink)
{
    if (!loader) return std::unexpected(loader.error());
    return Session(files, options, sink, std::move(loader->process), std::move(loader->socket))
        .run(job, result);
}

} // namespace vitrine::worker
