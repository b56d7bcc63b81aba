// TLS without sockets: two ends that exchange bytes in memory.

#include "server/net/transport/tls_engine.hpp"

#include <random>

#include <gtest/gtest.h>

#include "tests/support/temp_dir.hpp"
#include "tests/unit/server/net/tls_ends.hpp"

namespace vitrine::server {
namespace {

using Step = TlsEngine::Step;

class TlsEngineTest : public ::testing::Test {
protected:
    static std::string taken_output(TlsEngine& engine)
    {
        std::string bytes(engine.output());
        engine.consume_output(bytes.size());
        return bytes;
    }
    // Carries the bytes of both sides, `piece` at a time, until the server's handshake is done or has failed.
    Step shake_hands(std::size_t piece)
    {
        Step step = server.handshake();
        for (int round = 0; round < 20 && step == Step::needs_input; ++round) {
            client.handshake();
            const auto bytes = client.take_output();
            for (std::size_t at = 0; at < bytes.size(); at += piece) {
                server.receive(std::string_view(bytes).substr(at, piece));
                if (step == Step::needs_input) step = server.handshake();
            }
            client.receive(taken_output(server));
        }
        client.handshake();
        return step;
    }
    std::string read_server(Step wanted)
    {
        std::array<std::byte, 1000> into{};
        std::string text;
        for (;;) {
            std::size_t count = 0;
            const auto step = server.read(into, count);
            if (step != Step::done) {
                EXPECT_EQ(step, wanted) << server.failure();
                return text;
            }
            text.append(reinterpret_cast<const char*>(into.data()), count);
        }
    }

    test::TempDir folder;
    std::shared_ptr<const TlsContext> context = make_context(folder.path());
    TlsEngine server{context};
    TlsClient client;
};

TEST_F(TlsEngineTest, ShakesHandsInPiecesOfAnySize)
{
    ASSERT_EQ(shake_hands(1), Step::done) << server.failure();
    const auto facts = server.facts();
    EXPECT_EQ(facts.version, "TLSv1.3");
    EXPECT_TRUE(facts.cipher.starts_with("TLS_")) << facts.cipher;
    EXPECT_EQ(facts.server_name, "models.example");
    EXPECT_FALSE(facts.resumed);
}

TEST_F(TlsEngineTest, CarriesTextBothWays)
{
    ASSERT_EQ(shake_hands(4096), Step::done);
    ASSERT_TRUE(client.write("request"));
    server.receive(client.take_output());
    EXPECT_EQ(read_server(Step::needs_input), "request");
    const std::string body(40'000, 'b');
    std::size_t sent = 0;
    while (sent < body.size()) {
        const auto count = server.write(std::string_view(body).substr(sent));
        ASSERT_LE(count, TlsEngine::max_record_bytes);
        ASSERT_GT(count, 0u);
        sent += count;
        while (!server.output().empty()) { // a socket with little room
            const auto some = std::min<std::size_t>(server.output().size(), 5000);
            client.receive(server.output().substr(0, some));
            server.consume_output(some);
        }
    }
    EXPECT_TRUE(client.read_exactly(body.size()) == body);
}

// Its output is never empty.
TEST_F(TlsEngineTest, SlowPeerGetsAllBytes)
{
    ASSERT_EQ(shake_hands(4096), Step::done);
    std::mt19937 random(3);
    std::string body(2'000'000, '\0'), received;
    for (char& byte : body)
        byte = static_cast<char>(random());
    for (std::size_t sent = 0; sent < body.size();) {
        sent += server.write(std::string_view(body).substr(sent, 7'000));
        const auto most = server.output().size() - (sent < body.size() ? 1 + random() % 5'000 : 0);
        client.receive(server.output().substr(0, most));
        server.consume_output(most);
        for (auto text = client.read(); !text.empty(); text = client.read())
            received += text;
    }
    EXPECT_TRUE(received == body);
}

TEST_F(TlsEngineTest, EndsOnceWithACloseMessage)
{
    ASSERT_EQ(shake_hands(4096), Step::done);
    taken_output(server);
    server.close();
    EXPECT_FALSE(server.output().empty());
    client.receive(taken_output(server));
    EXPECT_EQ(client.read(), "");
    EXPECT_NE(SSL_get_shutdown(client.ssl()) & SSL_RECEIVED_SHUTDOWN, 0);
    server.close();
    EXPECT_TRUE(server.output().empty());
    EXPECT_EQ(server.write("late"), 0u);
}

TEST_F(TlsEngineTest, TellsTheEndOfThePeerFromACutConnection)
{
    ASSERT_EQ(shake_hands(4096), Step::done);
    ASSERT_TRUE(client.write("last"));
    SSL_shutdown(client.ssl());
    server.receive(client.take_output());
    EXPECT_EQ(read_server(Step::ended), "last");
    EXPECT_GT(server.write("a half-closed peer still gets responses"), 0u);

    server.receive_end();
    TlsEngine cut(context);
    cut.receive_end();
    EXPECT_EQ(cut.handshake(), Step::failed);
    EXPECT_EQ(cut.failure(), "unexpected eof while reading");
}

TEST_F(TlsEngineTest, RejectsADamagedRecord)
{
    ASSERT_EQ(shake_hands(4096), Step::done);
    ASSERT_TRUE(client.write("request"));
    auto bytes = client.take_output();
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    server.receive(bytes);
    EXPECT_EQ(read_server(Step::failed), "");
    EXPECT_FALSE(server.failure().empty());
    EXPECT_EQ(server.write("nothing may be sent"), 0u);
}

TEST_F(TlsEngineTest, RecognizesHttp)
{
    for (const char* request : {"GET / HTTP/1.1\r\n\r\n", "POST /v1/assets HTTP/1.1\r\n\r\n"}) {
        TlsEngine engine(context);
        engine.receive(request);
        EXPECT_EQ(engine.handshake(), Step::failed);
        EXPECT_TRUE(engine.was_plain_http()) << request;
    }
    TlsEngine other(context);
    other.receive("SSH-2.0-OpenSSH_9.2\r\n");
    EXPECT_EQ(other.handshake(), Step::failed);
    EXPECT_FALSE(other.was_plain_http());
}

// What a real client sends, with damage, and bytes of no client at all.
TEST_F(TlsEngineTest, SurvivesRandomBytes)
{
    client.handshake();
    const auto hello = client.take_output();
    std::mt19937 random(7);
    for (int round = 0; round < 3000; ++round) {
        auto bytes = hello;
        for (unsigned i = 0; i < 1 + random() % 4; ++i)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        if (round % 3 == 0) bytes.resize(random() % bytes.size());
        if (round % 7 == 0)
            for (char& byte : bytes)
                byte = static_cast<char>(random());
        TlsEngine engine(context);
        engine.receive(bytes);
        auto step = engine.handshake();
        EXPECT_LE(engine.output().size(), 16u << 10) << "no amplification";
        engine.receive_end();
        if (step == Step::needs_input) step = engine.handshake();
        EXPECT_EQ(step, Step::failed);
    }
}

} // namespace
} // namespace vitrine::server
