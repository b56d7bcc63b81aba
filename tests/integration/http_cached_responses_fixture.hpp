#pragma once
// A server with cached responses, and a client that keeps its connection.

#include <boost/json/parse.hpp>

#include "tests/integration/http_fixture.hpp"

namespace vitrine::test {

// Requests on one connection that stays open.
class Client {
public:
    explicit Client(int port) : port_(port), socket_(port) {}

    Reply get(std::string_view path, const Fields& fields = {}, std::string_view method = "GET")
    {
        send(path, fields, method);
        return read_reply(socket_, method == "HEAD");
    }
    void send(std::string_view path, const Fields& fields = {}, std::string_view method = "GET")
    {
        auto text = fmt::format("{} {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", method, path, port_);
        for (const auto& [name, value] : fields)
            text += fmt::format("{}: {}\r\n", name, value);
        socket_.send(text + "\r\n");
    }
    Reply read() { return read_reply(socket_); }
    std::string read_line() { return socket_.receive_until("\n"); }

private:
    int port_;
    Socket socket_;
};

class HttpCachedResponses : public Http {
protected:
    static Reply rename(const std::string& name)
    {
        return fetch(port(), "PATCH", asset_path(""), {}, fmt::format(R"({{"name":"{}"}})", name));
    }
    static double metric(std::string_view name)
    {
        const auto text = get(port(), "/metrics").body;
        const auto at = text.find(fmt::format("\n{} ", name));
        return at == text.npos ? -1 : std::stod(text.substr(at + name.size() + 2));
    }
    // Returns whether the list has an item of this name.
    static bool lists(Client& client, std::string_view name, std::string_view query = "")
    {
        const auto page = client.get(fmt::format("/v1/assets{}", query));
        for (const auto& item : boost::json::parse(page.body).at("items").as_array())
            if (item.at("name").as_string() == name) return true;
        return false;
    }
    static bool has_clip(Client& client, std::string_view name)
    {
        const auto clips = client.get(asset_path("/clips"));
        for (const auto& clip : boost::json::parse(clips.body).at("items").as_array())
            if (clip.at("name").as_string() == name) return true;
        return false;
    }
};

} // namespace vitrine::test
