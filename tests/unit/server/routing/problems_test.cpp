// How errors of services and of the storage become responses.

#include <gtest/gtest.h>

#include "server/routing/problems.hpp"

namespace vitrine::server {
namespace {

TEST(Problems, StorageErrorsAreErrorsOfTheServer)
{
    const auto full = to_problem(StorageError(StorageError::Kind::full, "no space"));
    EXPECT_EQ(full.status, 507);
    EXPECT_EQ(full.code, "storage_full");
    const auto read_only = to_problem(StorageError(StorageError::Kind::read_only, "mounted so"));
    EXPECT_EQ(read_only.status, 503);
    EXPECT_EQ(read_only.code, "storage_read_only");
    EXPECT_GT(read_only.retry_after_s, 0);
    const auto failed = to_problem(StorageError(StorageError::Kind::failed, "secret path"));
    EXPECT_EQ(failed.status, 503);
    EXPECT_EQ(failed.code, "storage_failed");
    EXPECT_GT(failed.retry_after_s, 0);
    const auto unavailable = to_problem(StorageError(StorageError::Kind::unavailable, "no answer"));
    EXPECT_EQ(unavailable.status, 503);
    EXPECT_EQ(unavailable.code, "storage_unavailable");
    EXPECT_GT(unavailable.retry_after_s, 0);
    EXPECT_EQ(failed.detail.find("secret path"), std::string::npos) << "details are only logged";
}

TEST(Problems, EachKindOfServiceErrorHasItsStatus)
{
    const auto status = [](Errc kind) { return to_problem(ServiceError{kind, "code", "", "detail"}).status; };
    EXPECT_EQ(status(Errc::invalid), 400);
    EXPECT_EQ(status(Errc::not_found), 404);
    EXPECT_EQ(status(Errc::conflict), 409);
    EXPECT_EQ(status(Errc::precondition_failed), 412);
    EXPECT_EQ(status(Errc::too_large), 413);
    EXPECT_EQ(status(Errc::unprocessable), 422);
    EXPECT_EQ(status(Errc::not_ready), 409);
    EXPECT_EQ(status(Errc::busy), 503);
    EXPECT_EQ(status(Errc::unavailable), 503);
}

TEST(Problems, ReportTheFirstErrors)
{
    api::Problem problem{.status = 400, .code = "bad_body"};
    for (int i = 0; i < 1000; ++i)
        problem.errors.push_back({"/k" + std::to_string(i), "cannot be changed"});
    const auto errors = api::to_json(problem).at("errors").as_array();
    ASSERT_EQ(errors.size(), api::max_reported_errors);
    EXPECT_EQ(errors[0].at("pointer").as_string(), "/k0");
}

TEST(Problems, ErrorsOfBearerTokensAreInAField)
{
    const auto field = [](const api::Problem& problem) {
        return std::string(to_response(problem).headers.find("WWW-Authenticate").value_or(""));
    };
    EXPECT_EQ(field({.status = 401}), R"(Basic realm="Vitrine", Bearer)");
    EXPECT_EQ(field({.status = 401, .bearer_error = R"(error="invalid_token")"}),
              R"(Basic realm="Vitrine", Bearer error="invalid_token")");
    EXPECT_EQ(field(role_problem(Role::editor, "Only editors.")),
              R"(Bearer realm="Vitrine", error="insufficient_scope", scope="editor")");
    EXPECT_EQ(field({.status = 403}), "");
}

TEST(Problems, TemporaryErrorsHaveARetryAfter)
{
    const auto retry = [](Errc kind, unsigned seconds) {
        const auto response = to_response(to_problem(ServiceError{kind, "code", "", "detail", seconds}));
        return std::string(response.headers.find("Retry-After").value_or(""));
    };
    EXPECT_EQ(retry(Errc::busy, 0), "1");
    EXPECT_EQ(retry(Errc::not_ready, 0), "1");
    EXPECT_EQ(retry(Errc::busy, 7), "7");
    EXPECT_EQ(retry(Errc::invalid, 0), "");
}

} // namespace
} // namespace vitrine::server
