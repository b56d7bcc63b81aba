// Limits of two servers with one database of PostgreSQL. Skipped without VITRINE_TEST_DATABASE
// (script/with-postgres).

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/integration/http_support.hpp"
#include "tests/integration/s3/object_store.hpp"

namespace vitrine::test {
namespace {

const std::string secret = "sesame-sesame-sesame";

class SharedLimits : public SharedStoresTest {
protected:
    void start(std::optional<ServerProcess>& server, const std::string& name)
    {
        auto flags = store->flags(folder.path().filename());
        flags.insert(flags.end(), {"--database", catalog, "--token", secret, "--address-rate-limit",
                                   "reads=160/h,writes=0"});
        server.emplace(folder.path() / name, flags);
        ASSERT_NE(server->port(), 0);
    }
    void SetUp() override
    {
        SharedStoresTest::SetUp();
        if (IsSkipped()) return;
        start(a, "a");
        start(b, "b");
    }
    static int status_of(const ServerProcess& server) { return get(server.port(), "/v1/assets").status; }
    static int sign_in(const ServerProcess& server, const std::string& password)
    {
        return fetch(server.port(), "POST", "/v1/sessions", {},
                     R"({"name":"maya","password":")" + password + "\"}")
            .status;
    }

    std::optional<ServerProcess> a, b;
};

// Each server counts a 16th of the limit before it asks the database.
TEST_F(SharedLimits, RatesOfAnAddressAddUp)
{
    int allowed = 0;
    for (bool at_a = true, at_b = true; at_a || at_b;) {
        at_a = status_of(*a) == 401;
        at_b = status_of(*b) == 401;
        allowed += int{at_a} + int{at_b};
    }
    EXPECT_GE(allowed, 150);
    EXPECT_LE(allowed, 170);
    a.reset();
    start(a, "a");
    int after_restart = 0;
    while (status_of(*a) == 401)
        ++after_restart;
    EXPECT_LE(after_restart, 10);
}

TEST_F(SharedLimits, WrongPasswordsAreSlowedAtBoth)
{
    ASSERT_EQ(fetch(a->port(), "POST", "/v1/users", {{"Authorization", "Bearer " + secret}},
                    R"({"name":"maya","role":"viewer","password":"a long sentence"})")
                  .status,
              201);
    for (int i = 0; i < 10; ++i) // most of them wait: each delay is twice the one before
        sign_in(i % 2 == 0 ? *a : *b, "a wrong sentence");
    EXPECT_EQ(sign_in(*a, "a long sentence"), 429);
    EXPECT_EQ(sign_in(*b, "a long sentence"), 429);
    a.reset();
    start(a, "a");
    EXPECT_TRUE(eventually([&] { return sign_in(*a, "a long sentence") == 201; })) << "when the delay ends";
    for (int i = 0; i < 4; ++i)
        EXPECT_EQ(sign_in(*b, "a wrong sentence"), 401) << "the success has ended the delays";
}

} // namespace
} // namespace vitrine::test
