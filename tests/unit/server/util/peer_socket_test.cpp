#include "server/util/peer_socket.hpp"

#include <array>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace vitrine::server {
namespace {

class PeerSocketTest : public ::testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()), 0); }
    void TearDown() override
    {
        for (const int socket : sockets)
            if (socket >= 0) ::close(socket);
    }

    std::array<int, 2> sockets{-1, -1};
};

TEST_F(PeerSocketTest, IsConnectedWithAndWithoutData)
{
    const PeerSocket peer(sockets[0]);
    EXPECT_FALSE(peer.is_gone());
    EXPECT_FALSE(peer.has_ended());
    ASSERT_EQ(::write(sockets[1], "x", 1), 1);
    EXPECT_FALSE(peer.has_ended());
    char byte = 0;
    EXPECT_EQ(::read(sockets[0], &byte, 1), 1) << "the byte is still there";
}

TEST_F(PeerSocketTest, HasEndedAfterTheEndOfItsStream)
{
    const PeerSocket peer(sockets[0]);
    ASSERT_EQ(::shutdown(sockets[1], SHUT_WR), 0);
    EXPECT_FALSE(peer.is_gone());
    EXPECT_TRUE(peer.has_ended());
}

TEST_F(PeerSocketTest, OfTlsHasEndedAlsoBehindUnreadBytes)
{
    const PeerSocket plain(sockets[0]), encrypted(sockets[0], true);
    ASSERT_EQ(::write(sockets[1], "x", 1), 1);
    EXPECT_FALSE(encrypted.has_ended());
    ASSERT_EQ(::shutdown(sockets[1], SHUT_WR), 0);
    EXPECT_TRUE(encrypted.has_ended());
    EXPECT_FALSE(plain.has_ended()) << "the bytes may be another request";
}

TEST_F(PeerSocketTest, IsGoneWhenTheSocketIsClosed)
{
    PeerSocket peer(sockets[0]);
    peer.close();
    EXPECT_TRUE(peer.is_gone());
    EXPECT_TRUE(peer.has_ended());
    EXPECT_TRUE(PeerSocket(1 << 20).is_gone()) << "no socket";
}

} // namespace
} // namespace vitrine::server
