#include "server/render_process/render_child.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loaders/worker/protocol/process.hpp"
#include "server/render_process/child_session.hpp"
#include "server/render_process/confinement.hpp"

namespace vitrine::render_process {
namespace {

constexpr std::chrono::seconds end_time{10};

// Ends the process some time after the server has closed its end, even if the main thread waits for the
// driver.
void end_with_server()
{
    pollfd closed{worker::child_socket, POLLRDHUP, 0};
    while (::poll(&closed, 1, -1) <= 0) {
    }
    std::this_thread::sleep_for(end_time);
    ::_exit(EXIT_FAILURE);
}

bool is_started_by_server()
{
    int type = 0;
    socklen_t size = sizeof type;
    return ::getsockopt(worker::child_socket, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

} // namespace

int run_render_child()
{
    if (!is_started_by_server()) {
        std::fputs("vitrine: the render process is started by the server\n", stderr);
        return EXIT_FAILURE;
    }
    try {
        bind_to_server();
        ::fcntl(worker::child_socket, F_SETFD, FD_CLOEXEC);
        ChildSession session{FileDescriptor(::fcntl(worker::child_socket, F_DUPFD_CLOEXEC, 0))};
        if (!session.receive_start()) return EXIT_FAILURE;
        std::thread(end_with_server).detach();
        return session.run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "vitrine: the render process ends: %s\n", error.what());
        return EXIT_FAILURE;
    }
}

} // namespace vitrine::render_process
