#pragma once
// Two ends of a TCP connection over loopback with the smallest possible buffers, so that unread data soon
// blocks the writer.

#include <chrono>
#include <string>
#include <string_view>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/write.hpp>
#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "server/net/transport/stream.hpp"
#include "tests/support/eventually.hpp"

namespace vitrine::server {

class LoopbackPair {
public:
    // With little room the server's writes soon wait. A peer that reads much needs more: it reports a small
    // window's change late, and the server's end then waits longer each time.
    explicit LoopbackPair(int receive_buffer = 1) : server(connect(receive_buffer)) {}

    // Reads `count` bytes or up to the end; blocks, for test::wait_timeout at most. (Asio ignores the
    // socket's own time limit.)
    std::string read(std::size_t count)
    {
        std::string text;
        while (text.size() < count) {
            std::string piece(count - text.size(), '\0');
            boost::system::error_code error;
            pollfd readable{peer.native_handle(), POLLIN, 0};
            if (::poll(&readable, 1, static_cast<int>(test::wait_timeout.count()) * 1000) <= 0) break;
            piece.resize(peer.read_some(boost::asio::buffer(piece), error));
            if (error) break;
            text += piece;
        }
        return text;
    }
    // Reads a status line and its fields, with the empty line behind them.
    std::string read_head()
    {
        std::string head;
        while (!head.ends_with("\r\n\r\n")) {
            const auto byte = read(1);
            if (byte.empty()) break;
            head += byte;
        }
        return head;
    }
    void send(std::string_view text) { boost::asio::write(peer, boost::asio::buffer(text)); }

    // Bytes that the peer has not read yet.
    std::size_t unread() { return peer.available(); }

    // Names the descriptor of the server's end, while it is open, for is_consumed().
    void watch(int server_end) { server_end_ = server_end; }
    // Whether the server has read everything that was sent.
    bool is_consumed()
    {
        int underway = 0, unread = 0;
        return ::ioctl(peer.native_handle(), SIOCOUTQ, &underway) == 0 && underway == 0 &&
               ::ioctl(server_end_, SIOCINQ, &unread) == 0 && unread == 0;
    }

    boost::asio::io_context io; // of the server's end

    // The socket of the server's end, for another Stream than `server`.
    Stream::Socket take_socket()
    {
        const int descriptor = ::dup(server.native_handle());
        server.close();
        return {boost::asio::make_strand(io), boost::asio::ip::tcp::v4(), descriptor};
    }

private:
    boost::asio::ip::tcp::socket connect(int receive_buffer)
    {
        namespace asio = boost::asio;
        asio::ip::tcp::acceptor acceptor(io_, {asio::ip::address_v4::loopback(), 0});
        peer.open(asio::ip::tcp::v4());
        peer.set_option(asio::socket_base::receive_buffer_size(receive_buffer));
        peer.connect(acceptor.local_endpoint());
        asio::ip::tcp::socket accepted = acceptor.accept(asio::make_strand(io));
        accepted.set_option(asio::socket_base::send_buffer_size(1));
        return accepted;
    }

    int server_end_ = -1;
    boost::asio::io_context io_; // of the peer's end, which blocks

public:
    boost::asio::ip::tcp::socket peer{io_};
    Stream server;
};

} // namespace vitrine::server
