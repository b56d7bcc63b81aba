#pragma once
// A minimal client of the live preview: websocket.md over RFC 6455.

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "tests/integration/http_support.hpp"

namespace vitrine::test {

struct Message {
    int opcode = -1; // 1 text, 2 binary, 8 close; -1: no message
    std::string data;
    std::uint16_t close_code() const
    {
        if (opcode != 8 || data.size() < 2) return 0;
        return static_cast<std::uint16_t>(static_cast<unsigned char>(data[0]) * 256 +
                                          static_cast<unsigned char>(data[1]));
    }
};

// Minimal RFC 6455 client.
class WebSocket {
public:
    // `asset`: its id, or the path of a preview.
    WebSocket(int port, const std::string& asset, std::string_view extra = {},
              std::string_view protocol = "vitrine.preview.v1")
        : socket_(port)
    {
        const auto path = asset.starts_with('/') ? asset : "/v1/assets/" + asset + "/preview";
        socket_.send(fmt::format("GET {} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: "
                                 "Upgrade\r\nUpgrade: websocket\r\n"
                                 "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
                                 "dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: {}\r\n{}\r\n",
                                 path, port, protocol, extra));
        auto head = socket_.receive_until("\r\n\r\n");
        status = std::atoi(head.c_str() + 9);
    }

    void send(int opcode, std::string_view data)
    {
        std::string frame(1, static_cast<char>(0x80 | opcode));
        if (data.size() < 126) {
            frame.push_back(static_cast<char>(0x80 | data.size()));
        } else {
            const bool is_short = data.size() < 65'536; // the server demands the shortest form
            frame.push_back(static_cast<char>(0x80 | (is_short ? 126 : 127)));
            for (int shift = is_short ? 8 : 56; shift >= 0; shift -= 8)
                frame.push_back(static_cast<char>(data.size() >> shift));
        }
        frame.append(4, '\0'); // a mask of zeros
        socket_.send(frame.append(data));
    }
    void say(std::string_view text) { send(1, text); }

    // Pings are skipped.
    Message next(std::chrono::milliseconds limit = wait_timeout)
    {
        for (;;) {
            auto head = socket_.receive_exactly(2, limit);
            if (head.size() < 2) return {};
            std::uint64_t size = static_cast<unsigned char>(head[1]);
            int extended = size == 126 ? 2 : size == 127 ? 8 : 0;
            if (extended) size = 0;
            for (char c : socket_.receive_exactly(static_cast<std::size_t>(extended)))
                size = size * 256 + static_cast<unsigned char>(c);
            Message message{head[0] & 15, socket_.receive_exactly(size)};
            if (message.opcode != 9) return message;
        }
    }
    Message next_of(int opcode, std::chrono::milliseconds limit = wait_timeout)
    {
        for (auto message = next(limit);; message = next(limit)) {
            if (message.opcode == opcode || message.opcode < 0 || message.opcode == 8) return message;
        }
    }
    void drop() { socket_.close(); }

    int status = 0;

private:
    Socket socket_;
};

// Content of a binary message; sequence 0: no message.
struct PreviewFrame {
    std::uint32_t sequence = 0, input = 0;
    std::uint16_t width = 0, height = 0;
    std::uint8_t codec = 0, flags = 0;
    double time = 0;
    std::string payload;
};

inline PreviewFrame parse(const Message& message)
{
    PreviewFrame frame;
    if (message.opcode != 2 || message.data.size() < 64 || !message.data.starts_with("VTRF")) return frame;
    const char* at = message.data.data();
    frame.codec = static_cast<std::uint8_t>(at[8]);
    frame.flags = static_cast<std::uint8_t>(at[9]);
    std::memcpy(&frame.sequence, at + 12, 4);
    std::memcpy(&frame.input, at + 16, 4);
    std::memcpy(&frame.width, at + 20, 2);
    std::memcpy(&frame.height, at + 22, 2);
    std::memcpy(&frame.time, at + 24, 8);
    frame.payload = message.data.substr(64);
    return frame;
}

inline void acknowledge(WebSocket& socket, const PreviewFrame& frame)
{
    socket.say(fmt::format(R"({{"type":"ack","sequence":{}}})", frame.sequence));
}

} // namespace vitrine::test
