// The real program from its start to SIGTERM. script/test runs this under AddressSanitizer, LeakSanitizer and
// UndefinedBehaviorSanitizer: a report ends the server with an exit code other than 0, and fails the import
// if it is one of the loader process.

#include <cerrno>
#include <csignal>
#include <fstream>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "loaders/worker/protocol/sanitizers.hpp"
#include "tests/integration/http_support.hpp"
#include "tests/integration/preview_client.hpp"

namespace vitrine::test {
namespace {

// The kernel gives processes that the server leaves behind to the test program.
class Lifecycle : public testing::Test {
protected:
    Lifecycle() { EXPECT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0); }
    ~Lifecycle() override { ::prctl(PR_SET_CHILD_SUBREAPER, 0); }

    // After SIGTERM the server must end without a report and without leaving a loader process.
    static void expect_end(ServerProcess& server)
    {
        EXPECT_EQ(server.wait(), 0);
        EXPECT_EQ(name_of_a_process_left(), "");
    }

private:
    // The runtime of a sanitizer starts a symbolizer, if one is installed, and does not wait for it: it may
    // run on for a moment. LeakSanitizer copies the process to trace it: if a loader is killed meanwhile, its
    // copy is too, as part of its group, and nobody has waited for that.
    static bool is_of_a_sanitizer(pid_t pid, std::string_view name)
    {
        const bool is_loader_copy = name == "vitrine-loader" && ::getpgid(pid) != pid;
        return is_loader_copy || name.starts_with("llvm-symbolize") || name == "addr2line";
    }

    static std::string name_of_a_process_left()
    {
        siginfo_t left{};
        while (::waitid(P_ALL, 0, &left, WEXITED | WNOWAIT | WNOHANG) == 0) {
            pid_t pid = left.si_pid;
            if (pid == 0) std::ifstream("/proc/thread-self/children") >> pid;
            std::string name = "a process that runs";
            std::ifstream(fmt::format("/proc/{}/comm", pid)) >> name;
            if (!worker::sanitized || !is_of_a_sanitizer(pid, name)) return name;
            ::waitpid(pid, nullptr, 0);
        }
        return errno == ECHILD ? "" : "waitid failed";
    }
};

// Reads of the lists and of one animated asset, answered without a device.
void expect_reads(int port, const std::string& asset)
{
    const auto first = get(port, "/v1/assets?limit=1&sort=name").json();
    ASSERT_EQ(first.at("items").as_array().size(), 1u);
    const auto second = get(port, "/v1/assets?limit=1&sort=name&cursor=" + text_at(first, "/next")).json();
    ASSERT_EQ(second.at("items").as_array().size(), 1u);
    EXPECT_NE(text_at(first, "/items/0/id"), text_at(second, "/items/0/id"));
    const auto path = "/v1/assets/" + asset;
    for (const char* part :
         {"", "/files", "/skeleton", "/materials", "/warnings", "/clips", "/clips/0", "/bounds",
          "/bounds?per=mesh", "/clips/0/pose?from=0&to=0.2&step=0.1&space=model", "/clips/0/tracks",
          "/clips/0/bounds?per=frame&from=0&to=0.2", "/mesh?clip=0&t=0.1", "/export.glb"})
        EXPECT_EQ(get(port, path + part).status, 200) << part;
    const auto range = get(port, path + "/files/koi.glb", {{"Range", "bytes=0-3"}});
    EXPECT_EQ(range.status, 206);
    EXPECT_EQ(range.body, "glTF");
}

void expect_images(int port, const std::string& asset)
{
    const auto path = "/v1/assets/" + asset;
    const auto thumbnail = get(port, path + "/thumbnail?size=64");
    EXPECT_EQ(thumbnail.status, 200);
    EXPECT_EQ(get(port, path + "/thumbnail?size=64", {{"If-None-Match", thumbnail.header("etag")}}).status,
              304);
    for (const char* part :
         {"/render?w=48&h=32&format=png&overlay=skeleton,bounds", "/turntable?frames=2&size=32",
          "/render?w=48&h=32&clip=0&crowd=5&ghosts=1", "/animation?frames=2&size=32&crowd=3&ghosts=1,0@0.05",
          "/turntable?frames=2&size=32&crowd=4", "/pick?w=48&h=32&crowd=2&x=24&y=16",
          "/pick?w=48&h=32&view=side&x=24&y=16"})
        EXPECT_EQ(get(port, path + part).status, 200) << part;
}

void expect_preview(int port, const std::string& asset)
{
    WebSocket socket(port, asset);
    ASSERT_EQ(socket.status, 101);
    EXPECT_EQ(text_at(boost::json::parse(socket.next().data), "/type"), "hello");
    socket.say(R"({"type":"view","input":1,"width":64,"height":48,"clip":0,"playing":true,)"
               R"("crowd":4,"ghosts":"1"})");
    for (int i = 0; i < 3; ++i) {
        const auto frame = parse(socket.next_of(2));
        ASSERT_EQ(frame.width, 64);
        acknowledge(socket, frame);
    }
    socket.say("no JSON");
    EXPECT_EQ(text_at(boost::json::parse(socket.next_of(1).data), "/type"), "problem");
    socket.send(8, "\x03\xe8");
    EXPECT_EQ(socket.next_of(8).close_code(), 1000);
}

// A file that no loader can read, and requests that no handler receives.
void expect_rejections(int port)
{
    const auto reply = upload(port, {{"broken.glb", "glTF\2"}});
    ASSERT_EQ(reply.status, 201);
    const auto job = await_job(port, text_at(reply.json(), "/items/0/job/id"));
    EXPECT_EQ(text_at(job, "/state"), "failed");
    EXPECT_EQ(text_at(job, "/problem/code"), "truncated"); // a report would be "crashed"
    EXPECT_EQ(fetch(port, "POST", "/v1/assets", {{"Content-Type", "multipart/form-data; boundary=B"}}, "--C")
                  .status,
              400);
    Socket malformed(port);
    malformed.send("nonsense\r\n\r\n");
    EXPECT_EQ(read_reply(malformed).status, 400);
}

} // namespace

TEST_F(Lifecycle, UploadsReadsRendersDeletesAndStops)
{
    TempDir folder;
    ServerProcess server(folder.path() / "data", {"--submit-seconds", "25"}); // sanitizers are slow
    ASSERT_NE(server.port(), 0) << server.line();
    const auto koi = import_asset(server.port(), {koi_glb()});
    const auto robot = import_asset(server.port(), robot_md5());
    ASSERT_FALSE(koi.empty());
    ASSERT_FALSE(robot.empty());
    expect_reads(server.port(), koi);
    expect_images(server.port(), koi);
    expect_preview(server.port(), koi);
    expect_rejections(server.port());
    EXPECT_EQ(fetch(server.port(), "DELETE", "/v1/assets/" + robot).status, 204);
    EXPECT_EQ(get(server.port(), "/v1/assets/" + robot).status, 404);
    server.signal(SIGTERM);
    expect_end(server);
}

TEST_F(Lifecycle, StopsWithOpenConnectionsAndARunningImport)
{
    TempDir folder;
    ServerProcess server(folder.path() / "data", {"--submit-seconds", "25"}); // sanitizers are slow
    ASSERT_NE(server.port(), 0) << server.line();
    const auto vase = import_asset(server.port(), {vase_glb()});
    ASSERT_FALSE(vase.empty());
    Socket events(server.port());
    events.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_TRUE(events.receive_until("\r\n\r\n").starts_with("HTTP/1.1 200 "));
    WebSocket preview(server.port(), vase);
    preview.say(R"({"type":"view","width":64,"height":48})");
    EXPECT_EQ(parse(preview.next_of(2)).sequence, 1u);
    EXPECT_EQ(upload(server.port(), {koi_glb()}).status, 201);
    server.signal(SIGTERM);
    EXPECT_EQ(preview.next_of(8).close_code(), 1001);
    expect_end(server);
}

} // namespace vitrine::test
