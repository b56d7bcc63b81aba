// The server with a render process that is killed: the server still answers.
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <future>

#include <boost/json/object.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/render_process/render_child.hpp"
#include "tests/integration/http_support.hpp"
#include "tests/support/paths.hpp"

namespace vitrine::test {
namespace {

namespace fs = std::filesystem;

// Processes whose parent is `parent`.
std::vector<pid_t> children_of(pid_t parent)
{
    std::vector<pid_t> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const auto name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != name.npos) continue;
        std::ifstream stat(entry.path() / "stat");
        std::string line;
        std::getline(stat, line);
        const auto end = line.rfind(')');
        if (end == line.npos) continue;
        char state = 0;
        int ppid = 0;
        if (std::sscanf(line.c_str() + end + 1, " %c %d", &state, &ppid) == 2 && ppid == parent &&
            state != 'Z')
            found.push_back(std::stoi(name));
    }
    return found;
}

bool exists(pid_t pid)
{
    return ::kill(pid, 0) == 0;
}

std::string command_of(pid_t pid)
{
    std::ifstream file(fmt::format("/proc/{}/cmdline", pid));
    std::string text(std::istreambuf_iterator<char>(file), {});
    std::ranges::replace(text, '\0', ' ');
    return text;
}

// Loader processes are children too.
std::vector<pid_t> render_processes_of(const ServerProcess& server)
{
    auto found = children_of(server.pid());
    std::erase_if(found, [](pid_t pid) { return !command_of(pid).contains(render_process::child_argument); });
    return found;
}

pid_t render_process_of(const ServerProcess& server) // -1: none
{
    const auto found = render_processes_of(server);
    return found.empty() ? -1 : found.front();
}

const std::vector<std::string> own_process{"--render-process", "always", "--submit-seconds", "25"};

bool is_ready(int port)
{
    return get(port, "/readyz").json().at("ready").as_bool();
}

TEST(ServerRenderProcess, IsReplacedWhenItIsKilledUnderLoad)
{
    const TempDir folder;
    const ServerProcess server(folder.path() / "data", own_process);
    const std::array assets{import_asset(server.port(), {koi_glb()}),
                            import_asset(server.port(), {robot_glb()})};
    ASSERT_FALSE(assets[0].empty() || assets[1].empty());
    const auto first = render_process_of(server);
    ASSERT_GT(first, 0);
    std::vector<std::future<int>> clients;
    for (int client = 0; client < 4; ++client)
        clients.push_back(std::async(std::launch::async, [&, client] {
            int failures = 0;
            for (int i = 0; i < 12; ++i) {
                const auto& asset = assets[static_cast<std::size_t>(i) % assets.size()];
                const auto path = fmt::format("/v1/assets/{}/render?w={}&h=64", asset, 40 + 12 * client + i);
                failures += get(server.port(), path).status == 200 ? 0 : 1;
            }
            return failures;
        }));
    EXPECT_TRUE(eventually([&] { // some pictures are drawn, others wait
        return get(server.port(), "/metrics").body.contains("vitrine_device_tasks_total");
    }));
    EXPECT_EQ(::kill(first, SIGKILL), 0);
    for (auto& client : clients)
        EXPECT_EQ(client.get(), 0) << "each request is answered with its picture";
    EXPECT_EQ(get(server.port(), fmt::format("/v1/assets/{}/render?w=33&h=33", assets[0])).status, 200);
    EXPECT_TRUE(is_ready(server.port()));
    const auto ready = get(server.port(), "/readyz").json();
    EXPECT_EQ(ready.at_pointer("/renderer/devicesLost").as_int64(), 1);
    EXPECT_EQ(ready.at_pointer("/renderer/quarantined").as_int64(), 0);
    EXPECT_NE(render_process_of(server), first);
    EXPECT_FALSE(exists(first)) << "it was waited for";
}

// gpu_process compares the pixels.
TEST(ServerRenderProcess, DrawsAllKindsOfImages)
{
    for (const char* mode : {"always", "never", "auto"}) { // the device is software: auto draws in the server
        const TempDir folder;
        const ServerProcess server(folder.path() / "data",
                                   {"--render-process", mode, "--submit-seconds", "25"});
        const auto asset = import_asset(server.port(), {koi_glb()});
        EXPECT_EQ(render_process_of(server) > 0, std::string(mode) == "always");
        for (const char* image : {"render?w=90&h=70&format=png", "thumbnail", "turntable?size=48&frames=6"})
            EXPECT_EQ(get(server.port(), fmt::format("/v1/assets/{}/{}", asset, image)).status, 200) << image;
        const auto hit = get(server.port(), fmt::format("/v1/assets/{}/pick?w=90&h=70&x=45&y=35", asset));
        EXPECT_EQ(hit.status, 200) << hit.body;
    }
}

TEST(ServerRenderProcess, EndsWithTheServer)
{
    for (const int signal : {SIGKILL, SIGTERM}) {
        const TempDir folder;
        ServerProcess server(folder.path() / "data", own_process);
        ASSERT_TRUE(eventually([&] { return is_ready(server.port()); }));
        const auto child = render_process_of(server);
        ASSERT_GT(child, 0);
        server.signal(signal);
        ASSERT_TRUE(server.wait());
        EXPECT_TRUE(eventually([&] { return !exists(child); })) << signal;
    }
}

// It has its standard streams, its socket, a pipe and memory files, nothing of the server and no secret.
TEST(ServerRenderProcess, HasNothingElseOfTheServer)
{
    const TempDir folder;
    const auto names = {"VITRINE_TOKEN", "AWS_SESSION_TOKEN", "PGPASSWORD"};
    for (const char* name : names)
        ::setenv(name, "a-secret-token", 1); // NOLINT(concurrency-mt-unsafe): one thread
    const ServerProcess server(folder.path() / "data", {"--render-process", "always", "--no-open", "--blobs",
                                                        "files", "--database", ""});
    for (const char* name : names)
        ::unsetenv(name); // NOLINT(concurrency-mt-unsafe)
    ASSERT_TRUE(eventually([&] { return get(server.port(), "/readyz").status == 200; }));
    const auto child = render_process_of(server);
    ASSERT_GT(child, 0);
    for (const auto& entry : fs::directory_iterator(fmt::format("/proc/{}/fd", child))) {
        std::error_code gone;
        const auto target = fs::read_symlink(entry.path(), gone).string();
        if (std::stoi(entry.path().filename().string()) <= 2) continue;
        EXPECT_FALSE(target.contains("catalog") || target.contains("/lock") || target.contains("blobs"))
            << target;
        EXPECT_TRUE(target.starts_with("socket:") || target.starts_with("pipe:") ||
                    target.starts_with("/memfd:") || target.starts_with("anon_inode") ||
                    target.starts_with("/dev/") || target.contains("/shaders/"))
            << target;
    }
    std::ifstream environment(fmt::format("/proc/{}/environ", child));
    const std::string variables(std::istreambuf_iterator<char>(environment), {});
    EXPECT_FALSE(variables.empty());
    EXPECT_FALSE(variables.contains("a-secret-token"));
}

TEST(ServerRenderProcess, IsTheDefaultForGraphicsCards)
{
    for (const bool is_card : {true, false}) {
        const TempDir folder;
        // NOLINTBEGIN(concurrency-mt-unsafe): one thread; the server inherits them
        ::setenv("VITRINE_FAULTY_DEVICES", "1", 1);
        if (is_card) ::setenv("VITRINE_FAULTY_DISCRETE", "1", 1);
        const ServerProcess server(folder.path() / "data", {"--gpu", "auto", "--submit-seconds", "25"},
                                   "vitrine-faulty");
        ::unsetenv("VITRINE_FAULTY_DEVICES");
        ::unsetenv("VITRINE_FAULTY_DISCRETE");
        // NOLINTEND(concurrency-mt-unsafe)
        const auto asset = import_asset(server.port(), {koi_glb()});
        EXPECT_EQ(get(server.port(), fmt::format("/v1/assets/{}/render?w=50&h=50", asset)).status, 200);
        EXPECT_EQ(get(server.port(), "/readyz").json().at_pointer("/device/software").as_bool(), !is_card);
        EXPECT_EQ(render_process_of(server) > 0, is_card);
    }
}

TEST(ServerRenderProcess, OfOneDeviceDiesAlone)
{
    const TempDir folder;
    // NOLINTBEGIN(concurrency-mt-unsafe): one thread; the server inherits them
    ::setenv("VITRINE_FAULTY_DEVICES", "2", 1);
    ::setenv("VITRINE_FAULTY_DRAWS", "lose 0 0", 1);
    auto options = own_process;
    options.insert(options.end(), {"--gpu", "0,1"});
    const ServerProcess server(folder.path() / "data", options, "vitrine-faulty");
    ::unsetenv("VITRINE_FAULTY_DEVICES");
    ::unsetenv("VITRINE_FAULTY_DRAWS");
    // NOLINTEND(concurrency-mt-unsafe)
    const auto draws = [&](std::size_t device) {
        const auto ready = get(server.port(), "/readyz").json();
        return ready.at("devices").as_array().at(device).at("draws").as_bool();
    };
    ASSERT_TRUE(eventually([&] { return draws(0) && draws(1); }));
    const auto processes = render_processes_of(server);
    ASSERT_EQ(processes.size(), 2u);
    const std::array assets{import_asset(server.port(), {koi_glb()}),
                            import_asset(server.port(), {vase_glb()}),
                            import_asset(server.port(), {robot_glb()})};
    ::kill(processes[0], SIGKILL);
    for (int width = 40; width < 46; ++width)
        for (const auto& asset : assets)
            EXPECT_EQ(get(server.port(), fmt::format("/v1/assets/{}/render?w={}&h=40", asset, width)).status,
                      200);
    const auto left = render_processes_of(server);
    EXPECT_THAT(left, testing::Not(testing::Contains(processes[0])));
    EXPECT_THAT(left, testing::Contains(processes[1]));
}

TEST(RenderProcess, IsStartedByTheServerOnly)
{
    const auto command = fmt::format("'{}' {} </dev/null 2>&1 3<&- | grep -q 'is started by the server'",
                                     program("vitrine"), render_process::child_argument);
    EXPECT_EQ(std::system(command.c_str()), 0); // NOLINT(concurrency-mt-unsafe): one thread
}

} // namespace
} // namespace vitrine::test
