// Searches by pictures while the embedder does not answer.

#include <array>
#include <thread>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/handlers/handlers.hpp"
#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

// Takes connections and never answers.
class SilentEmbedder {
public:
    SilentEmbedder() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* const generic = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(::bind(listener_, generic, size), 0);
        EXPECT_EQ(::listen(listener_, 4), 0);
        EXPECT_EQ(::getsockname(listener_, generic, &size), 0);
        port_ = ntohs(address.sin_port);
    }
    ~SilentEmbedder() { ::close(listener_); }
    SilentEmbedder(const SilentEmbedder&) = delete;
    SilentEmbedder& operator=(const SilentEmbedder&) = delete;

    std::string url() const { return fmt::format("http://127.0.0.1:{}/v1/embeddings", port_); }
    int accept() const { return ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC); }

private:
    int listener_;
    int port_ = 0;
};

struct EmbedderThatIsSilent {
    SilentEmbedder embedder;
};

class EmbedderWaits : public EmbedderThatIsSilent, public HandlerTest {
protected:
    EmbedderWaits()
        : HandlerTest(true, [this](ServicesConfig& config) {
              config.pictures.embedder =
                  EmbedderSettings{.url = embedder.url(), .model = "m", .timeout = std::chrono::hours(1)};
          })
    {
    }
    static constexpr const char* search = "/v1/assets?q=chair&mode=semantic";
};

TEST_F(EmbedderWaits, EndWhenTheClientLeaves)
{
    // The second one shows that the first has left nothing behind: the embedder is asked again.
    for (int times = 0; times < 2; ++times) {
        std::array<int, 2> sockets{-1, -1};
        ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()), 0);
        peer = std::make_shared<PeerSocket>(sockets[0]);
        int connection = -1;
        {
            const std::jthread leaving([&] {
                connection = embedder.accept();
                ::close(sockets[1]);
            });
            EXPECT_THROW(get(search), PeerDisconnected);
        }
        EXPECT_GE(connection, 0);
        ::close(connection);
        ::close(sockets[0]);
        peer = nullptr;
    }
}

TEST_F(EmbedderWaits, EndWithTheTimeOfTheRequest)
{
    RequestWatch short_watch(std::chrono::milliseconds(50), registry);
    RequestWatch::Work work(short_watch, nullptr);
    Request request;
    request.target = parse_target(search).value();
    request.principal.role = Role::viewer;
    const auto answered = work.answer([&] { return list_assets(request, context); });
    ASSERT_FALSE(answered);
    EXPECT_EQ(answered.error().code, "time_limit_exceeded");
    EXPECT_EQ(get("/v1/assets?q=chair").status(), 200) << "words need no embedder";
}

} // namespace
} // namespace vitrine::server::testing
