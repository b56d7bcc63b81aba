#include "tests/bench/gpu/text_page.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace vitrine::bench {
namespace {

std::string page_of(const char* text)
{
    return text_page(boost::json::parse(text).as_object());
}

TEST(TextPage, AlignsTheMembersOfAnObject)
{
    EXPECT_EQ(page_of(R"({"device": {"name": "A card", "apiVersion": "1.3.230", "budget": null}})"),
              "device\n"
              "  name        A card\n"
              "  apiVersion  1.3.230\n"
              "  budget      -\n");
}

TEST(TextPage, WritesListsOfObjectsAsTables)
{
    EXPECT_EQ(page_of(R"({"rates": [{"what": "copy", "GBs": 1234.567, "ok": true},
                                    {"what": "a fill", "GBs": 0.5}]})"),
              "rates\n"
              "  what     GBs   ok\n"
              "  copy    1235  yes\n"
              "  a fill   0.5\n");
}

TEST(TextPage, GivesBytesAUnit)
{
    EXPECT_EQ(
        page_of(R"({"bytes": 268435456, "usedBytes": 12, "lines": 268435456, "barBytes": 34359738368})"),
        "bytes      256 MiB\n"
        "usedBytes  12\n"
        "lines      268435456\n"
        "barBytes   32 GiB\n");
}

} // namespace
} // namespace vitrine::bench
