// A server whose device is lost or hangs whenever one model is rendered: that model is quarantined, others
// are rendered, and health endpoints report it.

#include <algorithm>
#include <array>
#include <cstdlib>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/integration/http_support.hpp"

namespace vitrine::test {
namespace {

constexpr int poisonous_triangles = 33; // a number that no other model here has

// Returns a triangle fan as OBJ.
UploadFile fan(int triangles, const std::string& name)
{
    std::string text = "v 0 0 0\nv 1 0 0\n";
    for (int i = 1; i <= triangles; ++i)
        text += fmt::format("v 1 {} {}\nf 1 {} {}\n", 0.1 * i, 0.01 * i * i, i + 1, i + 2);
    return {name, text};
}

struct FaultyServer {
    explicit FaultyServer(const char* fault, int times, std::vector<std::string> options = {},
                          int devices = 1)
        : process((set_fault(fault, times, devices), folder.path() / "data"), std::move(options),
                  "vitrine-faulty")
    {
    }
    int port() const { return process.port(); }
    boost::json::value ready() const { return get(port(), "/readyz").json(); }
    std::int64_t number(std::string_view pointer) const { return ready().at_pointer(pointer).as_int64(); }
    Reply picture(const std::string& asset, int width) const
    {
        return get(port(), fmt::format("/v1/assets/{}/render?w={}&h=40", asset, width));
    }
    std::string warnings(const std::string& asset) const
    {
        return get(port(), fmt::format("/v1/assets/{}/warnings", asset)).body;
    }

    TempDir folder;
    ServerProcess process;

private:
    static void set_fault(const char* fault, int times, int devices)
    {
        // NOLINTBEGIN(concurrency-mt-unsafe): no thread but this one; the server inherits them
        ::setenv("VITRINE_FAULTY_DEVICES", std::to_string(devices).c_str(), 1);
        ::setenv("VITRINE_FAULTY_DRAWS",
                 fmt::format("{} {} {}", fault, 3 * poisonous_triangles, times).c_str(), 1);
        // NOLINTEND(concurrency-mt-unsafe)
    }
};

TEST(DeviceLoss, OneLossIsRepeatedOnAReplacedDevice)
{
    const FaultyServer server("lose", 1);
    const auto asset = import_asset(server.port(), {fan(poisonous_triangles, "a.obj")});
    ASSERT_FALSE(asset.empty());
    EXPECT_EQ(server.number("/renderer/devicesLost"), 1) << "by the import's first picture";
    EXPECT_EQ(get(server.port(), fmt::format("/v1/assets/{}/thumbnail", asset)).status, 200);
    EXPECT_EQ(server.picture(asset, 50).status, 200);
    EXPECT_EQ(server.warnings(asset).find("render_quarantined"), std::string::npos);
    EXPECT_EQ(server.number("/renderer/quarantined"), 0);
    EXPECT_NE(get(server.port(), "/metrics").body.find("vitrine_devices_lost_total{device=\"0\"} 1"),
              std::string::npos);
}

// After two losses only this model is rejected, immediately, until it changes.
void expect_quarantine(const FaultyServer& server)
{
    const auto good = import_asset(server.port(), {fan(12, "good.obj")});
    const auto bad = import_asset(server.port(), {fan(poisonous_triangles, "bad.obj")});
    ASSERT_FALSE(good.empty());
    ASSERT_FALSE(bad.empty()) << "a model without pictures is still a model";
    const auto lost = server.number("/renderer/devicesLost");
    EXPECT_GE(lost, 2);
    EXPECT_EQ(server.number("/renderer/quarantined"), 1);
    const auto rejected = server.picture(bad, 50);
    EXPECT_EQ(rejected.status, 422);
    EXPECT_EQ(text_at(rejected.json(), "/code"), "render_quarantined");
    EXPECT_NE(server.warnings(bad).find("render_quarantined"), std::string::npos);
    EXPECT_EQ(server.number("/renderer/devicesLost"), lost) << "no further device was tried";
    EXPECT_EQ(server.picture(good, 50).status, 200);
    EXPECT_EQ(server.warnings(good).find("render_quarantined"), std::string::npos);
    EXPECT_TRUE(server.ready().at("ready").as_bool());
}

TEST(DeviceLoss, TwoLossesQuarantineOnlyTheModel)
{
    const FaultyServer server("lose", 1000);
    expect_quarantine(server);
    EXPECT_EQ(server.number("/renderer/devicesLost"), 2);
}

TEST(DeviceLoss, AnOperatorLiftsTheQuarantine)
{
    const FaultyServer server("lose", 2); // a driver that was replaced meanwhile
    const auto asset = import_asset(server.port(), {fan(poisonous_triangles, "bad.obj")});
    ASSERT_FALSE(asset.empty());
    const auto rejected = server.picture(asset, 50);
    EXPECT_EQ(rejected.status, 422);
    EXPECT_NE(text_at(rejected.json(), "/detail").find("/quarantine"), std::string::npos);
    const auto lift = [&](const std::string& id) {
        return fetch(server.port(), "DELETE", fmt::format("/v1/assets/{}/quarantine", id)).status;
    };
    EXPECT_EQ(lift("as_of_nobody"), 404);
    EXPECT_EQ(server.number("/renderer/quarantined"), 1);
    EXPECT_EQ(lift(asset), 204);
    EXPECT_EQ(server.number("/renderer/quarantined"), 0);
    EXPECT_EQ(server.picture(asset, 50).status, 200);
    EXPECT_EQ(server.warnings(asset).find("render_quarantined"), std::string::npos);
    EXPECT_EQ(lift(asset), 204) << "it is in none";
}

// Waits for a submission that hangs time out at once; others have the longest limit.
const std::vector<std::string> patient{"--submit-seconds", "25"};

TEST(DeviceLoss, HungDeviceIsReplacedAndTheModelQuarantined)
{
    const FaultyServer server("hang", 1000, patient);
    expect_quarantine(server);
}

// Each render process draws for the driver that crashes, loses its device or hangs, from its start on.
const std::vector<std::string> own_processes{"--submit-seconds", "25", "--render-process", "always"};

TEST(DeviceLoss, OfAProcessQuarantinesOnlyTheModel)
{
    const FaultyServer server("lose", 1000, own_processes);
    expect_quarantine(server);
    EXPECT_EQ(server.number("/renderer/devicesLost"), 2);
}

TEST(DeviceLoss, HungProcessIsKilledAndTheModelQuarantined)
{
    const FaultyServer server("hang", 1000, own_processes);
    expect_quarantine(server);
}

TEST(DeviceLoss, CrashedDriverQuarantinesOnlyTheModel)
{
    const FaultyServer server("crash", 1000, own_processes);
    expect_quarantine(server);
    EXPECT_EQ(server.number("/renderer/devicesLost"), 2);
}

TEST(DeviceLoss, TooManyLossesEndTheServer)
{
    FaultyServer server("lose", 1000, {"--device-losses", "2"});
    upload(server.port(), {fan(poisonous_triangles, "bad.obj")});
    EXPECT_EQ(server.process.wait(), 1) << "so that a supervisor restarts it";
}

// Two cards.
FaultyServer two_devices(const char* fault, int times, std::vector<std::string> options = {})
{
    options.insert(options.end(), {"--gpu", "0,1"});
    return FaultyServer(fault, times, std::move(options), 2);
}

double metric(const FaultyServer& server, const std::string& name)
{
    const auto all = "\n" + get(server.port(), "/metrics").body;
    const auto at = all.find("\n" + name + " ");
    return at == all.npos ? -1.0 : std::stod(all.substr(at + name.size() + 2));
}

std::vector<std::string> import_fans(const FaultyServer& server)
{
    std::vector<std::string> assets;
    for (int i = 0; i < 8; ++i)
        assets.push_back(import_asset(server.port(), {fan(5 + i, fmt::format("fan{}.obj", i))}));
    return assets;
}

TEST(SeveralDevices, ShareTheModels)
{
    const auto server = two_devices("lose", 0);
    const auto assets = import_fans(server);
    const auto ready = server.ready();
    ASSERT_EQ(ready.at("devices").as_array().size(), 2u);
    for (const auto& device : ready.at("devices").as_array()) {
        EXPECT_TRUE(device.at("draws").as_bool());
        EXPECT_EQ(device.at("name"), ready.at_pointer("/device/name"));
        EXPECT_GT(device.at("memoryBytes").as_int64(), 0);
    }
    EXPECT_EQ(text_at(ready, "/devices/0/pciAddress"), "0000:00:00.0");
    EXPECT_EQ(text_at(ready, "/devices/1/pciAddress"), "0000:01:00.0");
    const auto work = [&](int device) {
        return metric(server, fmt::format("vitrine_device_tasks_total{{device=\"{}\"}}", device));
    };
    const std::array before{work(0), work(1)};
    EXPECT_GT(before[0], 0.0);
    EXPECT_GT(before[1], 0.0);
    for (const int width : {50, 51, 52})
        EXPECT_EQ(server.picture(assets[0], width).status, 200);
    const std::array more{work(0) - before[0], work(1) - before[1]};
    EXPECT_EQ(std::ranges::max(more), 3.0) << "one model, one device";
    EXPECT_EQ(std::ranges::min(more), 0.0);
}

// Its models move to the other device, and no model is quarantined because of a failing device.
void expect_the_other_draws(const FaultyServer& server)
{
    const auto assets = import_fans(server);
    const auto clumsy = import_asset(server.port(), {fan(poisonous_triangles, "clumsy.obj")});
    ASSERT_FALSE(clumsy.empty());
    EXPECT_EQ(get(server.port(), fmt::format("/v1/assets/{}/thumbnail", clumsy)).status, 200);
    EXPECT_EQ(server.number("/renderer/devicesLost"), 1);
    EXPECT_EQ(server.number("/renderer/quarantined"), 0);
    for (const auto& asset : assets)
        EXPECT_EQ(server.picture(asset, 50).status, 200);
    EXPECT_EQ(server.picture(clumsy, 50).status, 200);
    EXPECT_TRUE(server.ready().at("ready").as_bool());
}

TEST(SeveralDevices, ModelsOfADisabledDeviceMove)
{
    const auto server = two_devices("lose", 1, {"--device-losses", "1"});
    expect_the_other_draws(server);
    const auto devices = server.ready().at("devices").as_array();
    EXPECT_NE(devices[0].at("disabled").as_bool(), devices[1].at("disabled").as_bool());
    EXPECT_NE(devices[0].at("draws").as_bool(), devices[1].at("draws").as_bool());
    EXPECT_FALSE(server.ready().at_pointer("/renderer/disabled").as_bool());
}

TEST(SeveralDevices, ModelsOfAHungDeviceMove)
{
    const auto server = two_devices("hang", 1, patient);
    expect_the_other_draws(server);
}

} // namespace
} // namespace vitrine::test
