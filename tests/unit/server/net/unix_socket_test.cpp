// The file of a Unix socket, the address of its peers, and addresses to listen on.

#include "server/net/transport/unix_socket.hpp"

#include <fstream>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/net/transport/endpoint.hpp"
#include "server/net/transport/peer.hpp"
#include "tests/support/temp_dir.hpp"

namespace vitrine::server {
namespace {

namespace asio = boost::asio;
using Local = asio::local::stream_protocol;

mode_t mode_of(const std::filesystem::path& path)
{
    struct stat status{};
    return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & 0777 : 0;
}

TEST(UnixSocketFileTest, ListensWithItsModeAndIsRemoved)
{
    const test::TempDir folder;
    const auto path = folder.path() / "socket";
    {
        UnixSocketFile file(path, 0640);
        EXPECT_EQ(mode_of(path), 0640u);
        asio::io_context io;
        Local::acceptor acceptor(io, Local(), file.release());
        Local::socket client(io);
        client.connect(Local::endpoint(path.string()));
        auto accepted = acceptor.accept();
        const auto peer = peer_of(accepted.native_handle());
        EXPECT_EQ(peer.address,
                  PeerAddress(UnixCredentials{.pid = ::getpid(), .uid = ::getuid(), .gid = ::getgid()}));
        EXPECT_EQ(peer.text, "unix:" + std::to_string(::getuid()));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(UnixSocketFileTest, ReplacesOnlyWhatNobodyListensOn)
{
    const test::TempDir folder;
    const auto path = folder.path() / "socket";
    auto first = std::make_unique<UnixSocketFile>(path, 0660);
    EXPECT_THROW(UnixSocketFile(path, 0660), std::runtime_error);
    ::close(first->release()); // as if its process had been killed
    UnixSocketFile second(path, 0600);
    EXPECT_EQ(mode_of(path), 0600u);
    first.reset();
    EXPECT_EQ(mode_of(path), 0600u) << "that of another is not removed";

    const auto plain = folder.path() / "plain";
    std::ofstream(plain) << "text";
    EXPECT_THROW(UnixSocketFile(plain, 0660), std::runtime_error);
    EXPECT_TRUE(std::filesystem::is_regular_file(plain));
    EXPECT_THROW(UnixSocketFile(folder.path() / "no" / "folder", 0660), std::runtime_error);

    const auto other = folder.path() / "other";
    std::ofstream(folder.path() / "other.new") << "text";
    EXPECT_THROW(UnixSocketFile(other, 0660), std::runtime_error) << "a file of somebody else is in the way";
    EXPECT_TRUE(std::filesystem::is_regular_file(folder.path() / "other.new"));
}

TEST(EndpointTest, UnixSocketsAndTls)
{
    const auto local = parse_endpoint("unix:/run/vitrine.sock");
    ASSERT_TRUE(local);
    EXPECT_TRUE(local->is_unix() && local->is_loopback());
    EXPECT_EQ(local->url(), "unix:/run/vitrine.sock");
    EXPECT_EQ((Endpoint{.host = "::1", .port = 8443, .tls = true}.url()), "https://[::1]:8443");
    EXPECT_FALSE(parse_endpoint("unix:"));
    EXPECT_TRUE(parse_endpoint("unix:" + std::string(max_socket_path_bytes, 'x')));
    EXPECT_FALSE(parse_endpoint("unix:" + std::string(max_socket_path_bytes + 1, 'x')));
    EXPECT_FALSE(parse_endpoint(std::string_view("unix:/a\0b", 9)));
}

} // namespace
} // namespace vitrine::server
