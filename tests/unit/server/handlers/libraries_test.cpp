// /v1/libraries: bodies, and what is shown. Scans: tests/unit/server/services/libraries.

#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

constexpr const char* library_owner = "sesame-sesame-sesame";

class LibraryRoutes : public HandlerTest {
protected:
    LibraryRoutes()
        : HandlerTest(
              false,
              [](ServicesConfig& config) { config.libraries.roots = {std::filesystem::canonical("/usr")}; },
              {.token = library_owner})
    {
    }

    Answered send(Method method, const std::string& path, const std::string& body = {})
    {
        const Fields admin{{"Authorization", std::string("Bearer ") + library_owner}};
        if (body.empty()) return ask(method, path, admin);
        return ask(method, path, admin, {body}, body.size());
    }
    std::string code_of(const std::string& body) { return send(Method::post, "/v1/libraries", body).code(); }
};

TEST_F(LibraryRoutes, AreMadeShownAndRemoved)
{
    const auto made = send(Method::post, "/v1/libraries",
                           R"({"path": "/usr/include/boost/", "ignore": ["*"], "include": ["*.obj"]})");
    ASSERT_EQ(made.status(), 201);
    const auto library = made.json();
    EXPECT_EQ(library.at("name").as_string(), "boost");
    EXPECT_EQ(library.at("path").as_string(), "/usr/include/boost");
    EXPECT_EQ(library.at("createdBy").as_string(), "token:server");
    const auto path = "/v1/libraries/" + std::string(library.at("id").as_string());
    EXPECT_EQ(made.header("Location"), path);
    EXPECT_EQ(send(Method::get, path).json().at("ignore"), library.at("ignore"));
    EXPECT_EQ(send(Method::get, "/v1/libraries").json().at("items").as_array().size(), 1u);
    EXPECT_EQ(send(Method::post, path + "/scan").status(), 202);
    EXPECT_EQ(code_of(R"({"path": "/usr/include/boost/json"})"), "library_exists");
    EXPECT_EQ(send(Method::delete_, path).status(), 204);
    EXPECT_EQ(send(Method::get, path).code(), "no_library");
    EXPECT_EQ(send(Method::post, path + "/scan").code(), "no_library");
}

TEST_F(LibraryRoutes, AreChangedAndPaused)
{
    const auto made =
        send(Method::post, "/v1/libraries", R"({"path": "/usr/include/boost", "ignore": ["*"]})");
    ASSERT_EQ(made.status(), 201);
    const auto path = "/v1/libraries/" + std::string(made.json().at("id").as_string());
    const auto changed = send(Method::patch, path, R"({"name": "b", "ignore": ["c/"], "paused": true})");
    ASSERT_EQ(changed.status(), 200);
    EXPECT_EQ(changed.json().at("name").as_string(), "b");
    EXPECT_EQ(changed.json().at("state").as_string(), "paused");
    EXPECT_EQ(changed.json().at("ignore").as_array().size(), 1u);
    EXPECT_EQ(changed.json().at("include").as_array().size(), 0u);
    EXPECT_EQ(send(Method::get, path).json(), changed.json());
    EXPECT_EQ(send(Method::post, path + "/scan").code(), "library_paused");
    EXPECT_EQ(send(Method::patch, path, R"({"ignore": []})").json().at("ignore").as_array().size(), 0u);
    EXPECT_EQ(send(Method::get, path).json().at("state").as_string(), "paused");
    for (const auto* wrong : {R"({"name": ""})", R"({"ignore": [""]})", R"({"include": "*.obj"})",
                              R"({"paused": 1})", R"({"path": "/usr"})"})
        EXPECT_EQ(send(Method::patch, path, wrong).code(), "bad_body") << wrong;
    EXPECT_EQ(send(Method::patch, "/v1/libraries/none", "{}").code(), "no_library");
}

TEST_F(LibraryRoutes, RejectWhatIsNoLibrary)
{
    EXPECT_EQ(code_of(R"({"path": "/etc"})"), "path_not_allowed");
    EXPECT_EQ(code_of(R"({"path": "/usr/include/../../etc"})"), "path_not_allowed");
    EXPECT_EQ(code_of(R"({"path": "include"})"), "path_not_allowed");
    EXPECT_EQ(code_of(R"({"path": "/usr/include/none"})"), "path_not_allowed");
    EXPECT_EQ(code_of(R"({})"), "bad_body");
    EXPECT_EQ(code_of(R"({"path": "/usr/include", "ignore": [""]})"), "bad_body");
    EXPECT_EQ(code_of(R"({"path": "/usr/include", "other": 1})"), "bad_body");
}

} // namespace
} // namespace vitrine::server::testing
