// The event stream of the real program: events of an import in order, and their replay.

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/integration/event_stream.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;

// Reads events until the asset's thumbnail is ready.
std::vector<Event> hear_import(EventStream& stream)
{
    std::vector<Event> events;
    for (auto event = stream.next(); !event.type.empty(); event = stream.next()) {
        events.push_back(event);
        bool over = event.type == "job" && text_at(json::parse(event.data), "/job/state") == "succeeded";
        if (over) break;
    }
    return events;
}

std::size_t position(const std::vector<Event>& events, std::string_view type)
{
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (events[i].type == type) return i;
    }
    return events.size();
}

} // namespace

TEST(Events, ImportEventsAreOrderedAndReplayed)
{
    TempDir folder;
    ServerProcess server(folder.path() / "data");
    ASSERT_NE(server.port(), 0);
    EventStream stream(server.port());
    EXPECT_NE(stream.head.find("text/event-stream"), std::string::npos);
    ASSERT_EQ(upload(server.port(), {koi_glb()}).status, 201);
    auto events = hear_import(stream);
    auto created = position(events, "asset.created");
    auto metadata = position(events, "asset.metadata");
    auto bounds = position(events, "asset.bounds");
    auto thumbnail = position(events, "asset.thumbnail");
    ASSERT_LT(thumbnail, events.size());
    EXPECT_LT(created, metadata);
    EXPECT_LT(metadata, bounds);
    EXPECT_LT(bounds, thumbnail);
    EXPECT_EQ(text_at(json::parse(events[metadata].data), "/asset/format"), "glb");
    for (std::size_t i = 1; i < events.size(); ++i)
        EXPECT_LT(std::stoull(events[i - 1].id), std::stoull(events[i].id));

    EventStream again(server.port(), events[created].id);
    auto replayed = hear_import(again);
    ASSERT_EQ(replayed.size(), events.size() - created - 1);
    for (std::size_t i = 0; i < replayed.size(); ++i)
        EXPECT_EQ(replayed[i].data, events[created + 1 + i].data);

    EXPECT_EQ(get(server.port(), "/v1/events", {{"Last-Event-ID", "x"}}).status, 400);
    EventStream unknown(server.port(), "1"); // an id of an earlier process
    EXPECT_EQ(unknown.next().type, "reset");

    server.signal(SIGTERM); // streams end, the server stops
    EXPECT_EQ(stream.next().type, "");
    EXPECT_EQ(server.wait(), 0);
}

TEST(Events, AreReplayedAfterARestart)
{
    TempDir folder;
    std::optional<ServerProcess> server(std::in_place, folder.path() / "data");
    ASSERT_NE(server->port(), 0);
    EventStream stream(server->port());
    const auto asset = import_asset(server->port(), {koi_glb()});
    const auto seen = hear_import(stream).back().id;
    EXPECT_EQ(fetch(server->port(), "DELETE", "/v1/assets/" + asset).status, 204);
    server->signal(SIGKILL);
    server->wait();
    server.emplace(folder.path() / "data");
    ASSERT_NE(server->port(), 0);
    const auto replayed = EventStream(server->port(), seen).next();
    EXPECT_EQ(replayed.type, "asset.deleted");
    EXPECT_EQ(text_at(json::parse(replayed.data), "/asset/id"), asset);
}

TEST(Events, EventsOfSeveralImportsAreOrdered)
{
    TempDir folder;
    ServerProcess server(folder.path() / "data");
    ASSERT_NE(server.port(), 0);
    EventStream stream(server.port());
    constexpr std::size_t count = 4;
    std::vector<UploadFile> files;
    for (std::size_t i = 0; i < count; ++i)
        files.push_back({fmt::format("m{}/vase.glb", i), vase_glb().bytes});
    ASSERT_EQ(upload(server.port(), files).status, 201);
    std::map<std::string, std::vector<std::string>> stories; // by asset, except jobs
    std::map<std::string, double> progress;
    for (std::size_t over = 0; over < count;) {
        auto event = stream.next();
        ASSERT_NE(event.type, "");
        if (event.type != "job") {
            stories[text_at(json::parse(event.data), "/asset/id")].push_back(event.type);
            continue;
        }
        auto job = json::parse(event.data).at("job");
        auto& known = progress[text_at(job, "/id")];
        EXPECT_GE(job.at("progress").to_number<double>(), known);
        known = job.at("progress").to_number<double>();
        if (text_at(job, "/state") == "succeeded") ++over;
    }
    EXPECT_EQ(stories.size(), count);
    for (const auto& [asset, story] : stories) {
        const auto at = [&](std::string_view type) { return std::ranges::find(story, type) - story.begin(); };
        EXPECT_LT(at("asset.metadata"), at("asset.bounds")) << asset;
        EXPECT_LT(at("asset.bounds"), at("asset.thumbnail")) << asset;
        EXPECT_LT(at("asset.thumbnail"), std::ssize(story)) << asset;
    }
}

TEST(Events, AreChosenByTypeAndAsset)
{
    TempDir folder;
    ServerProcess server(folder.path() / "data", {"--no-samples"});
    ASSERT_NE(server.port(), 0);
    EventStream all(server.port());
    const auto koi = import_asset(server.port(), {koi_glb()});
    const auto first = hear_import(all).front().id;
    const auto vase = import_asset(server.port(), {vase_glb()});
    hear_import(all);
    EXPECT_EQ(fetch(server.port(), "DELETE", "/v1/assets/" + koi).status, 204);
    EXPECT_EQ(fetch(server.port(), "DELETE", "/v1/assets/" + vase).status, 204);

    EventStream replayed(server.port(), first, "?type=asset.deleted&type=asset.thumbnail&asset=" + vase);
    EXPECT_EQ(replayed.next().type, "asset.thumbnail");
    const auto deleted = replayed.next();
    EXPECT_EQ(deleted.type, "asset.deleted");
    EXPECT_EQ(text_at(json::parse(deleted.data), "/asset/id"), vase);

    EventStream live(server.port(), {}, "?type=asset.*&asset=" + koi);
    EXPECT_EQ(fetch(server.port(), "POST", "/v1/assets/" + vase + "/restore").status, 200);
    EXPECT_EQ(fetch(server.port(), "POST", "/v1/assets/" + koi + "/restore").status, 200);
    EXPECT_EQ(text_at(json::parse(live.next().data), "/asset/id"), koi);
    for (const char* query : {"?type=over", "?type=asset", "?folder=x"})
        EXPECT_EQ(get(server.port(), std::string("/v1/events") + query).status, 400) << query;
    std::string many = "?asset=0";
    for (int i = 0; i < 32; ++i)
        many += "&asset=" + std::to_string(i);
    EXPECT_EQ(get(server.port(), "/v1/events" + many).status, 400);
}

TEST(Events, CancellingAQueuedImportFailsItsAsset)
{
    TempDir folder;
    const auto loader = folder.path() / "sleeping-loader";
    std::ofstream(loader) << "#!/bin/sh\nexec sleep 60\n";
    std::filesystem::permissions(loader, std::filesystem::perms::owner_all);
    ServerProcess server(folder.path() / "data", {"--loader", loader.string(), "--import-workers", "1"});
    ASSERT_NE(server.port(), 0);
    EventStream stream(server.port());
    ASSERT_EQ(upload(server.port(), {koi_glb()}).status, 201);
    auto created = upload(server.port(), {vase_glb()}).json(); // one worker imports them in sequence
    auto last = created.at("items").as_array().back();
    auto job = text_at(last, "/job/id");
    auto cancelled = fetch(server.port(), "DELETE", "/v1/jobs/" + job);
    EXPECT_EQ(text_at(cancelled.json(), "/state"), "cancelled");
    std::string failed;
    for (auto event = stream.next(); !event.type.empty() && failed.empty(); event = stream.next()) {
        if (event.type == "asset.failed") failed = text_at(json::parse(event.data), "/asset/id");
    }
    EXPECT_EQ(failed, text_at(last, "/asset/id"));
    server.signal(SIGTERM); // also ends the loader
    EXPECT_EQ(server.wait(), 0);
}

} // namespace vitrine::test
