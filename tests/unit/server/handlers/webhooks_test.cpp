// /v1/webhooks: bodies, queries, and what is shown. Deliveries: tests/integration/webhooks.

#include <gmock/gmock.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::SizeIs;

constexpr const char* webhook_owner = "sesame-sesame-sesame";

class WebhookRoutes : public HandlerTest {
protected:
    // Deliveries are attempted: nobody listens there.
    WebhookRoutes()
        : HandlerTest(false, [](ServicesConfig& config) { config.webhooks.allow_private = true; },
                      {.token = webhook_owner})
    {
    }

    Answered send(Method method, const std::string& path, const std::string& body = {})
    {
        const Fields admin{{"Authorization", std::string("Bearer ") + webhook_owner}};
        if (body.empty()) return ask(method, path, admin);
        return ask(method, path, admin, {body}, body.size());
    }
    // Returns the path.
    std::string create()
    {
        const auto made = send(Method::post, "/v1/webhooks", R"({"url": "http://127.0.0.1:1/"})");
        EXPECT_EQ(made.status(), 201);
        return "/v1/webhooks/" + std::string(made.json().at("id").as_string());
    }
};

TEST_F(WebhookRoutes, SecretIsShownOnce)
{
    const auto answered =
        send(Method::post, "/v1/webhooks",
             R"({"url": "https://hooks.example/", "events": ["job"], "description": "mine"})");
    ASSERT_EQ(answered.status(), 201);
    EXPECT_EQ(answered.header("Cache-Control"), "no-store");
    auto made = answered.json().as_object();
    EXPECT_EQ(made.at("createdBy").as_string(), "token:server");
    EXPECT_FALSE(made.at("disabled").as_bool());
    EXPECT_TRUE(made.at("disabledBy").is_null());
    made.erase("secret");
    const auto path = "/v1/webhooks/" + std::string(made.at("id").as_string());
    EXPECT_EQ(send(Method::get, path).json(), boost::json::value(made));
    EXPECT_EQ(send(Method::get, "/v1/webhooks").json().at_pointer("/items/0"), boost::json::value(made));

    const auto changed = send(Method::patch, path, R"({"disabled": true, "events": []})").json();
    EXPECT_EQ(changed.at("disabledBy").as_string(), "request");
    EXPECT_THAT(changed.at("events").as_array(), SizeIs(0));
    EXPECT_EQ(changed.at("description").as_string(), "mine") << "absent members stay";
    EXPECT_EQ(send(Method::post, path + "/test").code(), "webhook_disabled");
    const auto rotated = send(Method::post, path + "/secret", R"({"overlapSeconds": 60})");
    EXPECT_EQ(rotated.header("Cache-Control"), "no-store");
    EXPECT_TRUE(rotated.json().at("formerSecretUntil").is_string());
    EXPECT_EQ(send(Method::delete_, path).status(), 204);
    EXPECT_EQ(send(Method::get, path).code(), "no_webhook");
    EXPECT_EQ(send(Method::patch, path, "{}").code(), "no_webhook");
    EXPECT_EQ(send(Method::post, path + "/secret").code(), "no_webhook");
}

TEST_F(WebhookRoutes, BodiesAreChecked)
{
    struct {
        const char* body;
        const char* pointer;
    } cases[]{{R"({"events": []})", "/url"},
              {R"({"url": 3})", "/url"},
              {R"({"url": "hooks.example"})", "/url"},
              {R"({"url": "https://x.example/", "events": "job"})", "/events"},
              {R"({"url": "https://x.example/", "events": ["asset"]})", "/events"},
              {R"({"url": "https://x.example/", "events": ["job", "job"]})", "/events"},
              {R"({"url": "https://x.example/", "events": [3]})", "/events"},
              {R"({"url": "https://x.example/", "description": "a\nb"})", "/description"},
              {R"({"url": "https://x.example/", "disabled": "no"})", "/disabled"},
              {R"({"url": "https://x.example/", "secret": "whsec_x"})", "/secret"}};
    for (const auto& [body, pointer] : cases) {
        const auto answered = send(Method::post, "/v1/webhooks", body);
        ASSERT_EQ(answered.status(), 400) << body;
        EXPECT_EQ(answered.code(), "bad_body");
        EXPECT_EQ(answered.json().at_pointer("/errors/0/pointer").as_string(), pointer) << body;
    }
    EXPECT_EQ(send(Method::post, "/v1/webhooks", "[]").code(), "bad_json");
    EXPECT_EQ(send(Method::post, "/v1/webhooks", R"({"url": "https://x.example/", "disabled": true})").code(),
              "bad_body");
    EXPECT_THAT(send(Method::get, "/v1/webhooks").json().at("items").as_array(), SizeIs(0));
    const auto path = create();
    for (const char* body : {R"({"overlapSeconds": -1})", R"({"overlapSeconds": 604801})",
                             R"({"overlapSeconds": "1d"})", R"({"seconds": 1})"})
        EXPECT_EQ(send(Method::post, path + "/secret", body).code(), "bad_body") << body;
}

TEST_F(WebhookRoutes, DeliveriesArePagedAndFiltered)
{
    const auto path = create();
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(send(Method::post, path + "/test").status(), 202);
    const auto first = send(Method::get, path + "/deliveries?limit=2");
    ASSERT_THAT(first.json().at("items").as_array(), SizeIs(2));
    const std::string cursor(first.json().at("next").as_string());
    EXPECT_EQ(first.header("Link"), "<" + path + "/deliveries?limit=2&cursor=" + cursor + ">; rel=\"next\"");
    const auto rest = send(Method::get, path + "/deliveries?limit=2&cursor=" + cursor).json();
    EXPECT_THAT(rest.at("items").as_array(), SizeIs(1));
    EXPECT_TRUE(rest.at("next").is_null());
    EXPECT_EQ(rest.at_pointer("/items/0/type").as_string(), "webhook.test");
    EXPECT_THAT(send(Method::get, path + "/deliveries?state=delivered").json().at("items").as_array(),
                SizeIs(0));
    for (const char* query : {"?state=over", "?limit=0", "?limit=501", "?cursor=1", "?x=1"})
        EXPECT_EQ(send(Method::get, path + "/deliveries" + query).code(), "bad_query") << query;
    EXPECT_EQ(send(Method::post, path + "/deliveries/msg_none/replay").code(), "no_delivery");
    EXPECT_EQ(send(Method::get, "/v1/webhooks/none/deliveries").code(), "no_webhook");
}

} // namespace
} // namespace vitrine::server::testing
