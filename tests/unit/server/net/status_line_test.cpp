// Status lines of responses.

#include <string>

#include <boost/beast/http/status.hpp>
#include <gtest/gtest.h>

#include "api/reason_phrase.hpp"
#include "server/net/http.hpp"

namespace vitrine::server {
namespace {

// Beast has the phrases of RFC 7231; RFC 9110 renamed two.
std::string registered_phrase(int status)
{
    if (status == 413) return "Content Too Large";
    if (status == 422) return "Unprocessable Content";
    return boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(status));
}

constexpr int checksum_mismatch = 460; // of tus 1.0.0, not registered

TEST(StatusLine, HasTheRegisteredPhrase)
{
    int count = 0;
    for (int status = 100; status < 600; ++status) {
        if (api::reason_phrase(status).empty() || status == checksum_mismatch) continue;
        ++count;
        const auto head = serialize_head({.status = status}, true);
        EXPECT_EQ(head.substr(0, head.find("\r\n")),
                  "HTTP/1.1 " + std::to_string(status) + " " + registered_phrase(status));
    }
    EXPECT_EQ(count, 34);
    EXPECT_EQ(api::reason_phrase(checksum_mismatch), "Checksum Mismatch");
}

} // namespace
} // namespace vitrine::server
