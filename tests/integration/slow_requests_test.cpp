// The work of requests that take long ends at a deadline, and when the client leaves.

#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/integration/http_support.hpp"

namespace vitrine::test {
namespace {

// A wavy grid of `side` times `side` vertices.
std::string grid_obj(int side)
{
    std::string obj;
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j)
            obj += fmt::format("v {} {} {}\n", i, (i * j) % 7, j);
    for (int i = 1; i < side; ++i)
        for (int j = 1; j < side; ++j)
            obj += fmt::format("f {0} {1} {2}\n", (i - 1) * side + j, (i - 1) * side + j + 1, i * side + j);
    return obj;
}

// Seconds of processor time of a process and its threads.
double processor_seconds(pid_t pid)
{
    std::ifstream stat(fmt::format("/proc/{}/stat", pid));
    const std::string text((std::istreambuf_iterator<char>(stat)), {});
    std::istringstream fields(text.substr(std::min(text.rfind(')') + 2, text.size())));
    std::string ignored;
    for (int i = 0; i < 11; ++i)
        fields >> ignored;
    double user = 0.0, system = 0.0;
    fields >> user >> system;
    return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

class SlowRequests : public ::testing::Test {
protected:
    void start(std::vector<std::string> options)
    {
        server.emplace(folder.path() / "data", std::move(options));
        model = import_asset(server->port(), {{"grid.obj", grid_obj(300)}});
        ASSERT_FALSE(model.empty());
    }
    // Takes minutes; each model is moved by a layer, so that it is one of its own.
    std::string long_turntable() const
    {
        std::string path = "/v1/turntable?frames=120&size=512";
        for (int i = 0; i < 16; ++i)
            path += fmt::format("&asset={}&{}.move=0:0,{},0", model, i, i);
        return path;
    }
    double metric(const std::string& name) const
    {
        const auto text = "\n" + get(server->port(), "/metrics").body;
        const auto at = text.find("\n" + name + " ");
        return at == std::string::npos ? -1.0 : std::stod(text.substr(at + name.size() + 2));
    }
    // Waits until the server uses no processor time; far less long than the whole sequence takes.
    bool becomes_idle() const
    {
        return eventually(
            [&] {
                const double before = processor_seconds(server->pid());
                std::this_thread::sleep_for(300ms);
                return processor_seconds(server->pid()) - before < 0.1;
            },
            30s);
    }
    void leave_after(const std::string& request)
    {
        const double before = processor_seconds(server->pid());
        Socket client(server->port());
        client.send(request);
        EXPECT_TRUE(eventually([&] { return processor_seconds(server->pid()) - before > 0.3; }))
            << "it is at work";
    }

    TempDir folder;
    std::optional<ServerProcess> server;
    std::string model;
};

TEST_F(SlowRequests, EndAtTheDeadline)
{
    start({"--answer-seconds", "2"});
    const auto reply = get(server->port(), long_turntable());
    EXPECT_EQ(reply.status, 503);
    EXPECT_EQ(text_at(reply.json(), "/code"), "time_limit_exceeded");
    EXPECT_EQ(reply.header("retry-after"), "30");
    EXPECT_EQ(metric("vitrine_requests_stopped_total{reason=\"time\"}"), 1.0);
    EXPECT_TRUE(becomes_idle());
    EXPECT_EQ(get(server->port(), "/v1/render?w=64&h=64&asset=" + model).status, 200) << "others are drawn";
}

TEST_F(SlowRequests, EndWhenTheClientLeaves)
{
    start({});
    leave_after("GET " + long_turntable() + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_TRUE(becomes_idle());
    EXPECT_EQ(metric("vitrine_requests_stopped_total{reason=\"client\"}"), 1.0);
    const auto body = grid_obj(300);
    leave_after(
        fmt::format("POST /v1/animation?name=grid.obj&frames=120&size=512&move=0:0,1,0 HTTP/1.1\r\nHost: "
                    "localhost\r\nContent-Type: model/obj\r\nContent-Length: {}\r\n\r\n{}",
                    body.size(), body));
    EXPECT_TRUE(becomes_idle());
    EXPECT_EQ(metric("vitrine_requests_stopped_total{reason=\"client\"}"), 2.0);
    EXPECT_TRUE(eventually([&] { return count_stored_files(folder.path() / "data") == 1; }))
        << "the blob of the posted model is removed";
}

} // namespace
} // namespace vitrine::test
