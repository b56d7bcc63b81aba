// Live previews of an API process without a device, rendered by two workers, with one database of PostgreSQL
// and one object store. Skipped without VITRINE_TEST_DATABASE (script/with-postgres).

#include <array>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>

#include "tests/integration/http_support.hpp"
#include "tests/integration/preview_client.hpp"
#include "tests/integration/s3/object_store.hpp"

namespace vitrine::test {
namespace {

class WorkerPreviews : public SharedStoresTest {
protected:
    void SetUp() override
    {
        SharedStoresTest::SetUp();
        if (IsSkipped()) return;
        for (auto& worker : workers) {
            worker.emplace(folder.path() / ("worker" + std::to_string(&worker - workers.data())),
                           flags("worker"));
            ASSERT_NE(worker->port(), 0) << worker->line();
        }
        api.emplace(folder.path() / "api", flags("api"));
        ASSERT_NE(api->port(), 0) << api->line();
    }

    std::vector<std::string> flags(const std::string& role) const
    {
        auto all = store->flags(folder.path().filename());
        all.insert(all.end(), {"--database", catalog, "--role", role});
        return all;
    }

    // The value of a metric without labels; -1: there is none.
    static int metric(const ServerProcess& server, const std::string& name)
    {
        const auto text = "\n" + get(server.port(), "/metrics").body;
        const auto at = text.find("\n" + name + " ");
        return at == text.npos ? -1 : std::atoi(text.c_str() + at + name.size() + 2);
    }
    static int previews_at(const ServerProcess& worker) { return metric(worker, "vitrine_previews"); }

    // Opens a preview and shows its first frame; null if there is none.
    std::unique_ptr<WebSocket> viewer(const std::string& asset, int input = 1) const
    {
        auto socket = std::make_unique<WebSocket>(api->port(), asset);
        EXPECT_EQ(socket->status, 101);
        if (socket->status != 101) return nullptr;
        const auto hello = socket->next();
        EXPECT_TRUE(hello.data.starts_with(R"({"type":"hello")")) << hello.data;
        socket->say(fmt::format(R"({{"type":"view","input":{},"width":200,"height":120}})", input));
        const auto message = socket->next_of(2);
        const auto frame = parse(message);
        EXPECT_EQ(frame.input, static_cast<std::uint32_t>(input)) << message.close_code();
        EXPECT_EQ(frame.width, 200);
        if (frame.input == 0) return nullptr;
        acknowledge(*socket, frame);
        return socket;
    }

    std::array<std::optional<ServerProcess>, 2> workers;
    std::optional<ServerProcess> api;
};

TEST_F(WorkerPreviews, ShareALinkAndMoveFromAKilledWorker)
{
    const auto koi = import_asset(api->port(), {koi_glb()}), vase = import_asset(api->port(), {vase_glb()});
    ASSERT_FALSE(koi.empty() || vase.empty());
    std::vector<std::unique_ptr<WebSocket>> viewers;
    for (const auto& asset : {koi, vase, koi, vase}) {
        viewers.push_back(viewer(asset));
        ASSERT_TRUE(viewers.back()) << asset;
    }
    EXPECT_EQ(previews_at(*workers[0]) + previews_at(*workers[1]), 4);
    const int links = metric(*api, "vitrine_links");
    EXPECT_EQ(links, (previews_at(*workers[0]) > 0) + (previews_at(*workers[1]) > 0)) << "of four viewers";

    const std::size_t killed = previews_at(*workers[0]) > 0 ? 0 : 1;
    workers[killed]->signal(SIGKILL);
    const auto began = std::chrono::steady_clock::now();
    std::size_t moved = 0;
    for (std::size_t i = 0; i < viewers.size(); ++i) {
        if (previews_at(*workers[1 - killed]) == 4) break;
        auto& socket = *viewers[i];
        socket.say(R"({"type":"view","input":2,"camera":{"yaw":20}})");
        const auto message = socket.next_of(2);
        if (message.opcode == 2) continue; // at the other worker all the time
        EXPECT_EQ(message.close_code(), 1012);
        viewers[i] = viewer(i % 2 == 0 ? koi : vase, 2);
        ASSERT_TRUE(viewers[i]) << "at once, while the killed worker is still listed";
        ++moved;
    }
    const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    RecordProperty("moved", static_cast<int>(moved));
    RecordProperty("seconds", std::to_string(seconds));
    EXPECT_GE(moved, 2u);
    EXPECT_EQ(previews_at(*workers[1 - killed]), 4);
    viewers.clear();
    EXPECT_TRUE(eventually([&] { return previews_at(*workers[1 - killed]) == 0; }));
}

TEST_F(WorkerPreviews, ShowRowsOfModels)
{
    const auto koi = import_asset(api->port(), {koi_glb()}), vase = import_asset(api->port(), {vase_glb()});
    const auto row = "/v1/preview?asset=" + koi + "&asset=" + vase;
    EXPECT_EQ(get(api->port(), row).status, 426) << "a socket would be accepted";
    const auto shown = viewer(row + "&sizes=equal");
    ASSERT_TRUE(shown);
    EXPECT_EQ(previews_at(*workers[0]) + previews_at(*workers[1]), 1);
    shown->say(fmt::format(R"({{"type":"view","input":2,"row":"asset={}"}})", vase));
    auto message = shown->next_of(1);
    for (int i = 0; i < 4 && !message.data.starts_with(R"({"sizes")"); ++i)
        message = shown->next_of(1);
    EXPECT_TRUE(message.data.contains(R"("query":"asset=)" + vase)) << message.data;
    EXPECT_EQ(get(api->port(), row + "&clip=none_such").status, 404) << "which the worker finds";
}

// A worker that hangs keeps its connections open.
TEST_F(WorkerPreviews, MoveFromAWorkerThatHangs)
{
    const auto koi = import_asset(api->port(), {koi_glb()});
    const auto before = viewer(koi);
    ASSERT_TRUE(before);
    const std::size_t hung = previews_at(*workers[0]) > 0 ? 0 : 1;
    workers[hung]->signal(SIGSTOP);
    EXPECT_EQ(before->next_of(8).close_code(), 1012);
    EXPECT_TRUE(viewer(koi));
    workers[hung]->signal(SIGCONT);
    EXPECT_TRUE(eventually([&] { return previews_at(*workers[hung]) == 0; }));
}

TEST_F(WorkerPreviews, NoWorkerIsNoDevice)
{
    const auto koi = import_asset(api->port(), {koi_glb()});
    ASSERT_FALSE(koi.empty());
    EXPECT_EQ(get(api->port(), "/v1/assets/" + koi + "/preview").status, 426) << "a socket would be accepted";
    for (auto& worker : workers) {
        worker->signal(SIGTERM);
        EXPECT_EQ(worker->wait(), 0);
    }
    Reply none;
    EXPECT_TRUE(eventually([&] {
        none = get(api->port(), "/v1/assets/" + koi + "/preview");
        return none.status == 503;
    }));
    EXPECT_EQ(text_at(none.json(), "/code"), "no_device");
    EXPECT_EQ(none.header("retry-after"), "5");
    EXPECT_EQ(WebSocket(api->port(), koi).status, 503);
}

} // namespace
} // namespace vitrine::test
