// Webhooks of the real program: signed deliveries, failures, redirects, and a server that is killed.

#include <atomic>
#include <csignal>
#include <ctime>
#include <fstream>
#include <latch>
#include <set>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include "tests/integration/http_support.hpp"
#include "tests/integration/webhooks/webhook_receiver.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

const std::string admin_token = "sesame-sesame-sesame";

class Webhooks : public ::testing::Test {
protected:
    void begin(std::vector<std::string> options = {"--webhook-allow-private"})
    {
        options.insert(options.end(), {"--token", admin_token, "--webhook-retry-seconds", "1"});
        server_.reset(); // a process of the data folder ends before the next one
        server_ = std::make_unique<ServerProcess>(folder_.path() / "data", options);
        ASSERT_NE(server_->port(), 0);
    }
    Reply ask(std::string_view method, const std::string& path, const std::string& body = {}) const
    {
        Fields fields{{"Authorization", "Bearer " + admin_token}};
        if (!body.empty()) fields.emplace_back("Content-Type", "application/json");
        return fetch(server_->port(), method, path, fields, body);
    }
    json::value make(const std::string& url, json::array events = {}) const
    {
        const auto made =
            ask("POST", "/v1/webhooks", json::serialize(json::object{{"url", url}, {"events", events}}));
        EXPECT_EQ(made.status, 201) << made.body;
        return made.json();
    }
    json::array deliveries(const json::value& webhook) const
    {
        return ask("GET", path_of(webhook) + "/deliveries").json().at("items").as_array();
    }
    bool await_state(const json::value& webhook, std::string_view state) const
    {
        return eventually([&] {
            const auto all = deliveries(webhook);
            return !all.empty() && all[0].at("state").as_string() == state;
        });
    }
    static std::string path_of(const json::value& webhook)
    {
        return "/v1/webhooks/" + text_at(webhook, "/id");
    }
    void add_asset() const
    {
        const Fields fields{{"Authorization", "Bearer " + admin_token},
                            {"Content-Type", "application/octet-stream"}};
        const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
        EXPECT_EQ(fetch(server_->port(), "POST", "/v1/assets?name=triangle.obj", fields, triangle).status,
                  201);
    }

    TempDir folder_;
    std::unique_ptr<ServerProcess> server_;
};

std::string always_ok(const ReceivedDelivery&, std::size_t)
{
    return "204 No Content";
}

} // namespace

TEST_F(Webhooks, EventsArriveSigned)
{
    WebhookReceiver receiver(always_ok);
    ASSERT_NO_FATAL_FAILURE(begin());
    const auto webhook = make(receiver.url("/hook?x=1"), {"asset.created"});
    add_asset();
    const auto received = receiver.await(1);
    ASSERT_THAT(received, SizeIs(1));
    const auto& delivery = received[0];
    EXPECT_EQ(delivery.path, "/hook?x=1");
    EXPECT_TRUE(is_signed(delivery, text_at(webhook, "/secret")));
    EXPECT_EQ(delivery.fields.at("content-type"), "application/json");
    EXPECT_NEAR(std::stod(delivery.fields.at("webhook-timestamp")), double(std::time(nullptr)), 60.0);
    const auto body = json::parse(delivery.body);
    EXPECT_EQ(text_at(body, "/type"), "asset.created");
    EXPECT_EQ(text_at(body, "/data/asset/name"), "triangle");
    EXPECT_TRUE(await_state(webhook, "delivered"));
    const auto row = deliveries(webhook)[0];
    EXPECT_EQ(text_at(row, "/id"), delivery.fields.at("webhook-id"));
    EXPECT_EQ(row.at("status").as_int64(), 204);
    const auto metrics = ask("GET", "/metrics").body;
    EXPECT_NE(metrics.find("vitrine_webhook_attempts_total{outcome=\"delivered\"} 1"), metrics.npos);
}

TEST_F(Webhooks, RotationSignsTwice)
{
    WebhookReceiver receiver(always_ok);
    ASSERT_NO_FATAL_FAILURE(begin());
    const auto webhook = make(receiver.url());
    const auto rotated = ask("POST", path_of(webhook) + "/secret", R"({"overlapSeconds": 600})").json();
    ASSERT_EQ(ask("POST", path_of(webhook) + "/test").status, 202);
    const auto received = receiver.await(1);
    ASSERT_THAT(received, SizeIs(1));
    EXPECT_TRUE(is_signed(received[0], text_at(webhook, "/secret")));
    EXPECT_TRUE(is_signed(received[0], text_at(rotated, "/secret")));
    EXPECT_NE(text_at(webhook, "/secret"), text_at(rotated, "/secret"));
    EXPECT_EQ(text_at(json::parse(received[0].body), "/type"), "webhook.test");
}

TEST_F(Webhooks, FailuresAreRepeatedUntilTheyAreDead)
{
    std::atomic<bool> works = false;
    WebhookReceiver receiver(
        [&](const ReceivedDelivery&, std::size_t) { return works ? "200 OK" : "500 Internal Server Error"; });
    ASSERT_NO_FATAL_FAILURE(begin({"--webhook-allow-private", "--webhook-attempts", "2"}));
    const auto webhook = make(receiver.url());
    ASSERT_EQ(ask("POST", path_of(webhook) + "/test").status, 202);
    ASSERT_THAT(receiver.await(2), SizeIs(2));
    EXPECT_EQ(receiver.received()[0].fields.at("webhook-id"), receiver.received()[1].fields.at("webhook-id"));
    ASSERT_TRUE(await_state(webhook, "dead"));
    const auto dead = deliveries(webhook)[0];
    EXPECT_EQ(dead.at("attempts").as_int64(), 2);
    EXPECT_EQ(text_at(dead, "/problem/code"), "status");
    const auto path = path_of(webhook) + "/deliveries/" + text_at(dead, "/id") + "/replay";
    works = true;
    EXPECT_EQ(ask("POST", path).status, 202);
    EXPECT_TRUE(await_state(webhook, "delivered"));
    EXPECT_THAT(receiver.received(), SizeIs(3));
}

TEST_F(Webhooks, RetryAfterAndGoneAreHonored)
{
    WebhookReceiver busy(
        [](const ReceivedDelivery&, std::size_t) { return "503 Busy\r\nRetry-After: 1000"; });
    WebhookReceiver gone([](const ReceivedDelivery&, std::size_t) { return "410 Gone"; });
    ASSERT_NO_FATAL_FAILURE(begin());
    const auto later = make(busy.url()), last = make(gone.url());
    ASSERT_EQ(ask("POST", path_of(later) + "/test").status, 202);
    ASSERT_EQ(ask("POST", path_of(last) + "/test").status, 202);
    ASSERT_TRUE(eventually([&] { return deliveries(later)[0].at("attempts").as_int64() == 1; }));
    ASSERT_TRUE(await_state(later, "queued"));
    const auto waiting = deliveries(later)[0];
    EXPECT_GT(text_at(waiting, "/nextAttemptAt"), text_at(waiting, "/attemptedAt").substr(0, 14)) << waiting;
    EXPECT_NE(text_at(waiting, "/nextAttemptAt").substr(0, 16),
              text_at(waiting, "/attemptedAt").substr(0, 16))
        << "minutes later";
    ASSERT_TRUE(await_state(last, "dead"));
    const auto shown = ask("GET", path_of(last)).json();
    EXPECT_TRUE(shown.at("disabled").as_bool());
    EXPECT_EQ(text_at(shown, "/disabledBy"), "gone");
    EXPECT_EQ(ask("POST", path_of(last) + "/test").status, 409);
    EXPECT_EQ(ask("PATCH", path_of(last), R"({"disabled": false})").status, 200);
    EXPECT_EQ(ask("POST", path_of(last) + "/test").status, 202);
}

TEST_F(Webhooks, RedirectsAreNotFollowed)
{
    WebhookReceiver inner(always_ok);
    WebhookReceiver outer([&](const ReceivedDelivery&, std::size_t) {
        return "307 Temporary Redirect\r\nLocation: " + inner.url();
    });
    ASSERT_NO_FATAL_FAILURE(begin({"--webhook-allow-private", "--webhook-attempts", "1"}));
    const auto webhook = make(outer.url());
    ASSERT_EQ(ask("POST", path_of(webhook) + "/test").status, 202);
    ASSERT_TRUE(await_state(webhook, "dead"));
    EXPECT_EQ(text_at(deliveries(webhook)[0], "/problem/code"), "redirect");
    EXPECT_THAT(inner.received(), IsEmpty());
}

TEST_F(Webhooks, PrivateAddressesAreNotConnected)
{
    WebhookReceiver receiver(always_ok);
    ASSERT_NO_FATAL_FAILURE(begin({"--webhook-attempts", "1"}));
    const auto rejected = ask("POST", "/v1/webhooks", json::serialize(json::object{{"url", receiver.url()}}));
    EXPECT_EQ(rejected.status, 400);
    EXPECT_EQ(text_at(rejected.json(), "/errors/0/pointer"), "/url");
    auto by_name = receiver.url();
    by_name.replace(by_name.find("127.0.0.1"), 9, "localhost");
    const auto webhook = make(by_name);
    ASSERT_EQ(ask("POST", path_of(webhook) + "/test").status, 202);
    ASSERT_TRUE(await_state(webhook, "dead"));
    EXPECT_EQ(text_at(deliveries(webhook)[0], "/problem/code"), "address_not_allowed");
    EXPECT_THAT(receiver.received(), IsEmpty());
}

// The slow one has its requests, and the others their deliveries.
TEST_F(Webhooks, SlowReceiverDelaysNoOther)
{
    std::latch over(1);
    WebhookReceiver slow([&](const ReceivedDelivery&, std::size_t) {
        over.wait();
        return "200 OK";
    });
    WebhookReceiver other(always_ok);
    ASSERT_NO_FATAL_FAILURE(begin());
    const auto first = make(slow.url()), second = make(other.url());
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(ask("POST", path_of(first) + "/test").status, 202);
    EXPECT_THAT(slow.await(4), SizeIs(4)) << "at most four at the same time";
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(ask("POST", path_of(second) + "/test").status, 202);
    EXPECT_THAT(other.await(20), SizeIs(20));
    EXPECT_THAT(slow.received(), SizeIs(4));
    over.count_down();
    EXPECT_THAT(slow.await(20), SizeIs(20));
}

TEST_F(Webhooks, StopDoesNotWaitForReceivers)
{
    std::latch over(1);
    WebhookReceiver slow([&](const ReceivedDelivery&, std::size_t) {
        over.wait();
        return "";
    });
    ASSERT_NO_FATAL_FAILURE(begin());
    const auto webhook = make(slow.url());
    ASSERT_EQ(ask("POST", path_of(webhook) + "/test").status, 202);
    ASSERT_THAT(slow.await(1), SizeIs(1));
    server_->signal(SIGTERM);
    EXPECT_EQ(server_->wait(10s), 0) << "earlier than the time limit of the request";
    over.count_down();
}

// What was answered is delivered, whenever the process ends.
TEST_F(Webhooks, KilledServerDeliversAfterItsRestart)
{
    std::atomic<bool> works = false;
    std::latch over(1);
    WebhookReceiver receiver([&](const ReceivedDelivery&, std::size_t) {
        if (works) return "200 OK";
        over.wait(); // in flight while the server is killed
        return "";
    });
    ASSERT_NO_FATAL_FAILURE(begin());
    const auto webhook = make(receiver.url(), {"asset.created", "asset.deleted"});
    add_asset();
    ASSERT_THAT(receiver.await(1), SizeIs(1));
    const auto asset = text_at(json::parse(receiver.received()[0].body), "/data/asset/id");
    EXPECT_EQ(ask("DELETE", "/v1/assets/" + asset).status, 204);
    server_->signal(SIGKILL);
    server_->wait();
    works = true;
    over.count_down();
    ASSERT_NO_FATAL_FAILURE(begin());
    std::set<std::string> types, ids;
    ASSERT_TRUE(eventually([&] {
        for (const auto& delivery : receiver.received()) {
            types.insert(text_at(json::parse(delivery.body), "/type"));
            EXPECT_TRUE(is_signed(delivery, text_at(webhook, "/secret")));
        }
        const auto all = deliveries(webhook);
        return types.contains("asset.deleted") && std::ranges::all_of(all, [](const json::value& one) {
                   return one.at("state").as_string() == "delivered";
               });
    }));
    for (const auto& delivery : receiver.received())
        ids.insert(delivery.fields.at("webhook-id"));
    EXPECT_EQ(ids.size(), 2u) << "one for each event, also if it was attempted twice";
}

TEST_F(Webhooks, OnlyAdminsManageThem)
{
    ASSERT_NO_FATAL_FAILURE(begin());
    const auto token = ask("POST", "/v1/tokens", R"({"name": "x", "role": "editor"})").json();
    const Fields editor{{"Authorization", "Bearer " + text_at(token, "/token")}};
    EXPECT_EQ(get(server_->port(), "/v1/webhooks", editor).status, 403);
    EXPECT_EQ(get(server_->port(), "/v1/webhooks").status, 401);
    const auto made = make("https://hooks.example/");
    EXPECT_THAT(text_at(made, "/secret"), StartsWith("whsec_"));
    for (const auto& path : {std::string("/v1/webhooks"), path_of(made)})
        EXPECT_EQ(ask("GET", path).body.find("whsec_"), std::string::npos) << path;
    EXPECT_EQ(ask("DELETE", path_of(made)).status, 204);
    EXPECT_EQ(ask("GET", path_of(made)).status, 404);
}

} // namespace vitrine::test
