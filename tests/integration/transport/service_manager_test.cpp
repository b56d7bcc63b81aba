// `vitrine serve` as a service of systemd (Type=notify, WatchdogSec=).

#include <csignal>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "tests/integration/http_support.hpp"

namespace vitrine::test {
namespace {

// The socket of a service manager, named in the environment of processes that are started while it exists.
class Manager {
public:
    explicit Manager(const std::filesystem::path& path)
    {
        sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
        path.native().copy(address.sun_path, sizeof(address.sun_path) - 1);
        EXPECT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
        // NOLINTBEGIN(concurrency-mt-unsafe): no other thread
        ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
        ::setenv("WATCHDOG_USEC", "50000", 1);
    }
    ~Manager()
    {
        ::unsetenv("NOTIFY_SOCKET");
        ::unsetenv("WATCHDOG_USEC"); // NOLINTEND(concurrency-mt-unsafe)
        ::close(socket_);
    }
    Manager(const Manager&) = delete;
    Manager& operator=(const Manager&) = delete;

    // The next message; empty after a minute.
    std::string next() const
    {
        pollfd wait{.fd = socket_, .events = POLLIN, .revents = 0};
        char text[1024];
        if (::poll(&wait, 1, 60'000) != 1) return {};
        const auto size = ::recv(socket_, text, sizeof(text), 0);
        return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : "";
    }
    // The first message that is no sign of life.
    std::string next_state() const
    {
        auto message = next();
        while (message == "WATCHDOG=1")
            message = next();
        return message;
    }

private:
    int socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
};

TEST(ServiceManager, HearsOfTheStartOfLifeAndOfTheEnd)
{
    const TempDir folder;
    const Manager manager(folder.path() / "notify");
    ServerProcess server(folder.path() / "data");
    ASSERT_NE(server.port(), 0) << server.line();
    EXPECT_EQ(manager.next(),
              "READY=1\nSTATUS=listening on http://127.0.0.1:" + std::to_string(server.port()));
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(manager.next(), "WATCHDOG=1");
    ASSERT_NE(import_asset(server.port(), {vase_glb()}), "") << "the loader process does not need the socket";
    server.signal(SIGTERM);
    EXPECT_EQ(manager.next_state(), "STOPPING=1");
    EXPECT_EQ(server.wait(), 0);
}

} // namespace
} // namespace vitrine::test
