// What a render process cannot do. Each test runs in a process of its own.
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/render_process/confinement.hpp"
#include "tests/support/temp_dir.hpp"

namespace vitrine::render_process {
namespace {

namespace fs = std::filesystem;

// Returns the result of `work` in a child process: 0 to 255, or -1 if it did not end by itself.
template <class Work>
int in_child(Work work)
{
    const pid_t pid = ::fork();
    if (pid == 0) ::_exit(work());
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool can_open(const fs::path& path, int flags = O_RDONLY)
{
    const int fd = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
    if (fd >= 0) ::close(fd);
    return fd >= 0;
}

bool has_sockets(int family)
{
    const int fd = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0) ::close(fd);
    return fd >= 0;
}

void write_file(const fs::path& path)
{
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "text";
}

TEST(Confinement, ForbidsTheNetworkAndOtherProcesses)
{
    const int result = in_child([] {
        if (!has_sockets(AF_INET)) return 10; // the test would show nothing
        if (!forbid_network()) return 1;
        if (has_sockets(AF_INET) || has_sockets(AF_INET6)) return 2;
        if (!has_sockets(AF_UNIX)) return 3;
        char byte = 0;
        const iovec own{&byte, 1};
        if (::process_vm_readv(::getpid(), &own, 1, &own, 1, 0) >= 0 || errno != EPERM) return 4;
        return 0;
    });
    EXPECT_EQ(result, 0);
}

TEST(Confinement, ForbidsTheFilesOfTheServer)
{
    const test::TempDir temp;
    const auto data = temp.path() / "a" / "data";
    write_file(data / "catalog.sqlite");
    write_file(data / "blobs" / "ab");
    write_file(temp.path() / "a" / "beside");
    write_file(temp.path() / "b" / "other");
    const int result = in_child([&] {
        if (!can_open(data / "catalog.sqlite")) return 10;
        if (!forbid_files(data)) return 1;
        if (can_open(data / "catalog.sqlite") || can_open(data / "catalog.sqlite", O_WRONLY)) return 2;
        if (can_open(data / "blobs" / "ab") || can_open(data / "new", O_WRONLY | O_CREAT)) return 3;
        if (::unlink((data / "catalog.sqlite").c_str()) == 0) return 4;
        if (::rename((data / "catalog.sqlite").c_str(), (temp.path() / "b" / "c").c_str()) == 0) return 5;
        if (!can_open(data / "shaders" / "pipelines", O_WRONLY | O_CREAT)) return 6;
        if (!can_open(temp.path() / "a" / "beside") || !can_open(temp.path() / "b" / "other", O_WRONLY))
            return 7;
        if (!can_open("/proc/self/maps") || !can_open("/dev/null", O_RDWR) || !can_open("/proc/self/exe"))
            return 8;
        return 0;
    });
    EXPECT_EQ(result, 0);
}

TEST(Confinement, IgnoresTheSignalsThatStopTheServer)
{
    const int result = in_child([] {
        bind_to_server();
        for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGPIPE})
            ::raise(signal);
        return 0;
    });
    EXPECT_EQ(result, 0);
}

TEST(Confinement, EndsWithTheServer)
{
    int alive[2], bound[2];
    ASSERT_EQ(::pipe2(alive, O_CLOEXEC), 0);
    ASSERT_EQ(::pipe2(bound, O_CLOEXEC), 0);
    const int result = in_child([&] { // the server
        if (::fork() == 0) {
            bind_to_server();
            if (::write(bound[1], "x", 1) != 1) ::_exit(1);
            for (;;)
                ::pause();
        }
        char byte = 0;
        return ::read(bound[0], &byte, 1) == 1 ? 0 : 1;
    });
    EXPECT_EQ(result, 0);
    ::close(alive[1]);
    char byte = 0;
    EXPECT_EQ(::read(alive[0], &byte, 1), 0) << "the other end is open as long as the render process exists";
    for (const int fd : {alive[0], bound[0], bound[1]})
        ::close(fd);
}

} // namespace
} // namespace vitrine::render_process
