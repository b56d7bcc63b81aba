// A render process that answers as VITRINE_HOSTILE says, without a device: what the server must not accept.
#include <cmath>
#include <cstdlib>
#include <string_view>

#include <sys/socket.h>
#include <unistd.h>

#include "server/render_process/message_stream.hpp"

namespace vitrine::render_process {
namespace {

Deadline later()
{
    return std::chrono::steady_clock::now() + std::chrono::minutes(10);
}

class Hostile {
public:
    explicit Hostile(std::string_view mode) : mode_(mode) {}

    int run()
    {
        const auto start =
            stream_.receive(1 << 20, std::nullopt); // with the pipe for finished tickets, which stays open
        if (!start) return 1;
        reply(Log{"two\nlines"});
        reply(Ready{{"hostile", "none", "1.3", true, "", ""}});
        for (;;) {
            const auto received = stream_.receive(64 << 20, std::nullopt);
            if (!received) return 0;
            if (received->type == RenderMessageType::render) answer();
            if (received->type == RenderMessageType::submit) reply(Done{}); // and never finishes it
            if (received->type == RenderMessageType::pick) reply(PickReply{wrong_hit()});
            if (received->type == RenderMessageType::bounds) reply(BoundsReply{{{}, {}}});
        }
    }

private:
    template <class Message>
    void reply(const Message& message)
    {
        send(Message::type, encode(message));
    }
    void send(RenderMessageType type, std::string_view bytes)
    {
        (void)stream_.send({.type = static_cast<std::uint32_t>(type)}, bytes, later());
    }
    void send_head(RenderMessageHead head) { ::send(3, &head, sizeof head, MSG_NOSIGNAL); }

    // The server has asked for one frame of 8 x 8.
    void answer()
    {
        const FrameHead right{8, 8, {}, {}, 1};
        constexpr auto frames = static_cast<std::uint32_t>(RenderMessageType::frames);
        if (mode_ == "size") reply(Frames{{{9, 8, {}, {}, 1}}, {}, 0});
        if (mode_ == "count") reply(Frames{{right, right}, {}, 0});
        if (mode_ == "box") reply(Frames{{{8, 8, {}, {{glm::vec3(NAN), glm::vec3(1)}, {}}, 1}}, {}, 0});
        if (mode_ == "offset") reply(Frames{{right}, {1ull << 40}, 0});
        if (mode_ == "type") reply(Done{});
        if (mode_ == "unknown") send(static_cast<RenderMessageType>(999), "");
        if (mode_ == "cut") send(RenderMessageType::frames, encode(Frames{{right}, {}, 0}).substr(1));
        if (mode_ == "huge") send_head({.type = frames, .size_bytes = 1ull << 40});
        if (mode_ == "signature") send_head({.signature = 1, .type = frames});
        if (mode_ == "part") send_head({.type = frames, .size_bytes = 50});
        while (mode_ == "logs")
            send(RenderMessageType::log, encode(Log{"line"}));
        if (mode_ == "exit") ::_exit(7);
    }
    static scene::Hit wrong_hit() { return {.node = 1'000'000, .mesh = 0}; }

    std::string_view mode_;
    MessageStream stream_{FileDescriptor(3)};
};

} // namespace
} // namespace vitrine::render_process

int main()
{
    const char* mode = std::getenv("VITRINE_HOSTILE"); // NOLINT(concurrency-mt-unsafe): one thread
    return vitrine::render_process::Hostile(mode != nullptr ? mode : "").run();
}
