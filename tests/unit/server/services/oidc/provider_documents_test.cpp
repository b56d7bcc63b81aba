// How long documents of a provider are kept, and where requests may go.

#include <gtest/gtest.h>

#include "server/http_client/http_client.hpp"
#include "server/services/oidc/provider_documents.hpp"

namespace vitrine::server {
namespace {

using std::chrono::seconds;

TEST(ProviderDocuments, AreKeptAsLongAsTheProviderAllows)
{
    EXPECT_EQ(kept_time(""), seconds(3600));
    EXPECT_EQ(kept_time(" public, max-age=600, must-revalidate"), seconds(600));
    EXPECT_EQ(kept_time("max-age=1"), seconds(60));
    EXPECT_EQ(kept_time("max-age=99999999999999999999"), seconds(86'400));
    EXPECT_EQ(kept_time("max-age=x"), seconds(60));
}

TEST(ProviderDocuments, ProviderThatDoesNotAnswerIsAskedAgainLater)
{
    const OidcSettings settings{.issuer = "http://127.0.0.1:1", .client_id = "vitrine"};
    ProviderDocuments documents(settings);
    const auto first = documents.endpoints();
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().kind, Errc::busy);
    EXPECT_EQ(first.error().code, "provider_unavailable");
    EXPECT_GT(first.error().retry_after_s, 0u);
    EXPECT_NE(documents.endpoints().error().detail, first.error().detail); // without a request
}

TEST(ProviderDocuments, SecretsAreSentByHttpsOrToThisMachine)
{
    for (const auto* url : {"https://id.example", "https://id.example/realms/a?b", "http://localhost:8080/a",
                            "http://127.0.0.1", "http://[::1]:80/"})
        EXPECT_TRUE(is_secure_url(url)) << url;
    for (const auto* url :
         {"", "https://", "https:///a", "http://id.example", "http://localhost.example",
          "http://127.0.0.1:80@id.example/", "http://127.0.0.1@id.example", "ftp://localhost",
          "https://id.example/\r\nHost: a", "file:///etc/passwd", "HTTPS//id.example"})
        EXPECT_FALSE(is_secure_url(url)) << url;
}

TEST(ProviderDocuments, FormsAreEscaped)
{
    EXPECT_EQ(encode_form({{"a b", "c&d=e"}, {"f", "\xc3\xa9~-._+"}}), "a%20b=c%26d%3De&f=%C3%A9~-._%2B");
    EXPECT_EQ(encode_form({}), "");
}

} // namespace
} // namespace vitrine::server
