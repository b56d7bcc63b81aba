// Behavior at limits: each test has a server with a small limit and exceeds it.

#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "tests/integration/http_support.hpp"
#include "tests/support/eventually.hpp"

namespace vitrine::test {
namespace {

struct LimitedServer {
    explicit LimitedServer(std::vector<std::string> options)
        : process(folder.path() / "data", std::move(options))
    {
    }
    int port() const { return process.port(); }

    TempDir folder;
    ServerProcess process;
};

constexpr std::string_view form_fields =
    "Host: localhost\r\nContent-Type: multipart/form-data; boundary=B\r\n";
constexpr std::string_view part_head =
    "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.glb\"\r\n\r\n";

// Starts an upload whose body the server waits for: its handler is running.
Socket begin_upload(int port, std::string_view framing)
{
    Socket socket(port);
    socket.send(fmt::format("POST /v1/assets HTTP/1.1\r\n{}{}\r\nExpect: 100-continue\r\n\r\n", form_fields,
                            framing));
    return socket;
}

std::string chunk(std::string_view bytes)
{
    return fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes);
}

// Polls until the status is `wanted`: resources are released shortly after the peer has disconnected.
int await_status(int port, std::string_view path, int wanted)
{
    int status = 0;
    eventually([&] { return (status = get(port, path).status) == wanted; });
    return status;
}

std::uint64_t free_mb(const std::filesystem::path& folder)
{
    struct statvfs status{};
    return ::statvfs(folder.c_str(), &status) == 0 ? status.f_bavail * status.f_frsize >> 20 : 0;
}

// Limits the size of files of this process and its children to `bytes`.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit before_{};
};

} // namespace

TEST(HttpLimits, TooManyRequestsInFlightAre429)
{
    LimitedServer server({"--requests", "1"});
    auto upload = begin_upload(server.port(), "Content-Length: 1000");
    ASSERT_EQ(upload.receive_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    auto second = begin_upload(server.port(), "Content-Length: 1000");
    const auto rejected = second.receive_until("too_many_requests");
    EXPECT_EQ(rejected.substr(0, 12), "HTTP/1.1 429");
    EXPECT_NE(rejected.find("Retry-After: "), rejected.npos);
    EXPECT_EQ(get(server.port(), "/v1/assets").status, 200) << "only bodies that arrive are too many";
    EXPECT_EQ(get(server.port(), "/healthz").status, 200);
    upload.close();
    second.close();
    EXPECT_TRUE(eventually([&] {
        auto third = begin_upload(server.port(), "Content-Length: 1000");
        return third.receive_until("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n";
    }));
}

TEST(HttpLimits, TooManyConnectionsAre503)
{
    LimitedServer server({"--connections", "2"});
    Socket first(server.port());
    {
        Socket second(server.port());
        for (auto* socket : {&first, &second}) {
            socket->send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
            ASSERT_EQ(read_reply(*socket).status, 200);
        }
        for (int i = 0; i < 10; ++i) { // the response arrives although the request is never read
            auto rejected = get(server.port(), "/v1/assets");
            EXPECT_EQ(rejected.status, 503);
            EXPECT_EQ(rejected.header("retry-after"), "2");
        }
        first.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
        EXPECT_EQ(read_reply(first).status, 200); // existing connections are served
    }
    EXPECT_EQ(await_status(server.port(), "/healthz", 200), 200);
}

TEST(HttpLimits, IncompleteHeaderGives408)
{
    LimitedServer server({"--header-seconds", "1"});
    Socket fresh(server.port());
    fresh.send("GET /healthz HTTP/1.1\r\nHost: loc");
    auto late = read_reply(fresh);
    EXPECT_EQ(late.status, 408);
    EXPECT_EQ(late.header("connection"), "close");
    EXPECT_EQ(text_at(late.json(), "/code"), "header_timeout");
    EXPECT_TRUE(fresh.ended());
    Socket used(server.port());
    used.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET ");
    EXPECT_EQ(read_reply(used).status, 200);
    EXPECT_EQ(read_reply(used).status, 408); // the second request was started and never completed
}

TEST(HttpLimits, SlowBodyGives408)
{
    LimitedServer server({"--body-seconds", "1"});
    auto silent = begin_upload(server.port(), "Content-Length: 1000");
    ASSERT_EQ(silent.receive_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    silent.send(part_head);
    auto late = read_reply(silent);
    EXPECT_EQ(late.status, 408);
    EXPECT_EQ(late.header("connection"), "close");
    EXPECT_EQ(late.header("content-type"), "application/problem+json");
    EXPECT_EQ(text_at(late.json(), "/code"), "body_timeout");
    EXPECT_EQ(text_at(late.json(), "/requestId"), late.header("x-request-id"));
    EXPECT_TRUE(silent.ended());
    EXPECT_TRUE(await_files(server.folder.path() / "data/tmp", 0));

    Socket small(server.port());
    small.send("PATCH /v1/assets/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{");
    EXPECT_EQ(read_reply(small).status, 408);
    EXPECT_EQ(get(server.port(), "/v1/assets").json().at("items").as_array().size(), 0u);
}

TEST(HttpLimits, TricklingBodyGives408)
{
    LimitedServer server({"--body-seconds", "1"});
    auto drops = begin_upload(server.port(), "Transfer-Encoding: chunked");
    ASSERT_EQ(drops.receive_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    drops.send(chunk(part_head));
    std::string answer;
    eventually([&] { // each byte is in time, but 64 KiB of them are not
        drops.send(chunk("x"));
        answer = drops.receive(100ms);
        return !answer.empty();
    });
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 408 ")) << answer;
}

TEST(HttpLimits, ResponseDoesNotWaitForAnUnreadBody)
{
    LimitedServer server({"--body-seconds", "1"});
    Socket socket(server.port());
    socket.send("DELETE /v1/nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{");
    auto reply = read_reply(socket);
    EXPECT_EQ(reply.status, 404);
    EXPECT_EQ(reply.header("connection"), "close");
    EXPECT_TRUE(socket.ended());
}

TEST(HttpLimits, SilentConnectionIsClosedWithoutResponse)
{
    LimitedServer server({"--idle-seconds", "1"});
    Socket silent(server.port());
    EXPECT_EQ(silent.receive(), "");
    EXPECT_TRUE(silent.ended());
}

TEST(HttpLimits, TooLargeHeaderGives431)
{
    LimitedServer server({});
    std::string many;
    for (int i = 0; i < 1500; ++i)
        many += fmt::format("X-{}: some value\r\n", i);
    for (const auto& fields : {"X: " + std::string(100'000, 'x') + "\r\n", many}) {
        Socket socket(server.port());
        socket.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n");
        auto reply = read_reply(socket);
        EXPECT_EQ(reply.status, 431);
        EXPECT_EQ(text_at(reply.json(), "/code"), "header_too_large");
        EXPECT_TRUE(socket.ended());
    }
}

TEST(HttpLimits, UploadWithoutDiskSpaceGives507)
{
    LimitedServer server({"--min-free-mb", "1000000000"});
    auto rejected = upload(server.port(), {koi_glb()});
    EXPECT_EQ(rejected.status, 507);
    EXPECT_EQ(text_at(rejected.json(), "/code"), "storage_full");
    EXPECT_EQ(get(server.port(), "/v1/assets").json().at("items").as_array().size(), 0u);
    ASSERT_TRUE(eventually([&] { return get(server.port(), "/readyz").status == 200; }))
        << "reads still work";
    auto ready = get(server.port(), "/readyz");
    EXPECT_EQ(ready.status, 200);
    EXPECT_FALSE(ready.json().at("hasDiskSpace").as_bool());
}

TEST(HttpLimits, DiskFullDuringUploadGives507AndRecovers)
{
    constexpr std::uint64_t spare_mb = 1024;
    TempDir folder;
    auto now = free_mb(folder.path());
    if (now < 4 * spare_mb) GTEST_SKIP() << "the disk has less than 4 GiB free";
    ServerProcess server(folder.path() / "data", {"--min-free-mb", std::to_string(now - spare_mb)});
    auto upload = begin_upload(server.port(), "Transfer-Encoding: chunked");
    ASSERT_EQ(upload.receive_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    upload.send(chunk(part_head));
    auto other = folder.path() / "other";
    int descriptor = ::open(other.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    bool filled = ::fallocate(descriptor, 0, 0, static_cast<off_t>(2 * spare_mb << 20)) == 0;
    ::close(descriptor);
    if (!filled) GTEST_SKIP() << "the file system cannot reserve space";
    upload.send(chunk(std::string(100'000, 'x')));
    EXPECT_EQ(read_reply(upload).status, 507);
    std::filesystem::remove(other);
    EXPECT_EQ(test::upload(server.port(), {koi_glb()}).status, 201);
}

TEST(HttpLimits, FileSizeLimitGives507)
{
    auto limited = [] {
        FileSizeLimit limit(4 << 20);
        return LimitedServer({});
    };
    auto server = limited();
    ASSERT_NE(server.port(), 0);
    auto rejected = upload(server.port(), {{"large.glb", std::string(6 << 20, 'x')}});
    EXPECT_EQ(rejected.status, 507);
    EXPECT_EQ(get(server.port(), "/v1/assets").json().at("items").as_array().size(), 0u);
    EXPECT_EQ(upload(server.port(), {{"small.glb", "glTF"}}).status,
              201); // smaller uploads are still accepted
}

} // namespace vitrine::test
