#pragma once
// A client of the event stream (GET /v1/events).

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "tests/integration/http_support.hpp"

namespace vitrine::test {

struct Event {
    std::string id, type, data;
};

class EventStream {
public:
    // `query`: with its '?'.
    explicit EventStream(int port, std::string_view last_id = {}, std::string_view query = {}) : socket_(port)
    {
        std::string field = last_id.empty() ? "" : fmt::format("Last-Event-ID: {}\r\n", last_id);
        socket_.send(fmt::format("GET /v1/events{} HTTP/1.1\r\nHost: localhost\r\n{}\r\n", query, field));
        head = socket_.receive_until("\r\n\r\n");
    }

    // Returns an empty type if no event arrives in time.
    Event next(std::chrono::milliseconds limit = 60s)
    {
        for (;;) {
            while (text_.find("\n\n") == text_.npos) {
                auto line = socket_.receive_until("\r\n", limit);
                auto size = std::strtoul(line.c_str(), nullptr, 16);
                if (size == 0) return {};
                text_ += socket_.receive_exactly(size);
                socket_.receive_exactly(2);
            }
            auto block = text_.substr(0, text_.find("\n\n") + 1);
            text_.erase(0, block.size() + 1);
            auto event = parse(block);
            if (!event.type.empty()) return event;
        }
    }

    std::string head;

private:
    static Event parse(const std::string& block)
    {
        Event event;
        for (std::size_t at = 0; at < block.size();) {
            auto end = block.find('\n', at);
            auto line = block.substr(at, end - at);
            if (line.starts_with("id: ")) event.id = line.substr(4);
            if (line.starts_with("event: ")) event.type = line.substr(7);
            if (line.starts_with("data: ")) event.data = line.substr(6);
            at = end + 1;
        }
        return event;
    }

    Socket socket_;
    std::string text_;
};

} // namespace vitrine::test
