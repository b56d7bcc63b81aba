// Responses with original files.

#include <gtest/gtest.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

class Downloads : public HandlerTest {
protected:
    std::string file = "/v1/assets/" + imported("my bar.obj") + "/files/my%20bar.obj"; // 21 bytes
};

// A browser must not show an original file as a page of this origin.
TEST_F(Downloads, AreAttachmentsOfUnknownType)
{
    const auto whole = get(file);
    EXPECT_EQ(whole.status(), 200);
    EXPECT_EQ(whole.header("Content-Type"), "application/octet-stream");
    EXPECT_EQ(whole.header("Content-Disposition"), "attachment; filename*=UTF-8''my%20bar.obj");
    EXPECT_EQ(whole.header("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(whole.header("Accept-Ranges"), "bytes");
}

TEST_F(Downloads, RangesNameTheirPosition)
{
    const auto part = get(file, {{"Range", "bytes=3-5"}});
    EXPECT_EQ(part.status(), 206);
    EXPECT_EQ(part.header("Content-Range"), "bytes 3-5/21");
    EXPECT_EQ(part.header("Content-Type"), "application/octet-stream");
    const auto outside = get(file, {{"Range", "bytes=21-"}});
    EXPECT_EQ(outside.status(), 416);
    EXPECT_EQ(outside.header("Content-Range"), "bytes */21");
}

} // namespace
} // namespace vitrine::server::testing
