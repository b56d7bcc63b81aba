// Targets, ranges, entity tags, endpoints: valid and hostile input.

#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "server/net/accept.hpp"
#include "server/net/byte_range.hpp"
#include "server/net/http.hpp"
#include "server/net/transport/endpoint.hpp"
#include "server/net/url.hpp"

namespace vitrine::server {

TEST(Url, DecodesEachLengthOfUtf8AndNoControlCharacter)
{
    for (const std::string text : {"\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                                   "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
        EXPECT_EQ(percent_decode(percent_encode("a" + text)), "a" + text);
    EXPECT_EQ(percent_decode(percent_encode("a\x7f")), std::nullopt);
}

TEST(Url, DecodesOnce)
{
    EXPECT_EQ(percent_decode("a%20b+c"), "a b+c");
    EXPECT_EQ(percent_decode("a%20b+c", true), "a b c");
    EXPECT_EQ(percent_decode("%2525"), "%25");
    EXPECT_EQ(percent_decode("%E6%A8%A1"), "\xe6\xa8\xa1");
}

TEST(Url, RejectsBrokenEscapesControlsAndBadUtf8)
{
    for (auto bad :
         {"%", "%2", "%zz", "%00", "%0a", "%7f", "%ff", "%c0%ae", "%ed%a0%80", "%f5%80%80%80", "\x01"}) {
        EXPECT_FALSE(percent_decode(bad)) << bad;
    }
}

TEST(Url, SplitsATarget)
{
    auto target = parse_target("/v1/assets/a%2Fb/?q=x%26y&empty=&flag&&q=2");
    ASSERT_TRUE(target);
    EXPECT_EQ(target->segments, (std::vector<std::string>{"v1", "assets", "a/b", ""}));
    EXPECT_EQ(target->query, (Query{{"q", "x&y"}, {"empty", ""}, {"flag", ""}, {"q", "2"}}));
    EXPECT_FALSE(parse_target(""));
    EXPECT_FALSE(parse_target("http://x/"));
    EXPECT_FALSE(parse_target("/%"));
    EXPECT_FALSE(parse_target("/" + std::string(300, '/')));
    std::string many = "/?";
    for (int i = 0; i < 65; ++i)
        many += "a&";
    EXPECT_FALSE(parse_target(many));
}

// The comparison in url.hpp: `boost` is the result of boost::urls::parse_origin_form of 1.81.
struct UrlCase {
    std::string target;
    const char* ours; // "[segment]... name=value ...", or "rejected"
    const char* boost;
};

const UrlCase url_cases[] = {
    // Equal results.
    {"/a//b", "[a][][b]", "[a][][b]"},
    {"/a/../b", "[a][..][b]", "[a][..][b]"},
    {"/a%2Fb", "[a/b]", "[a/b]"},
    {"/%C3%A9", "[\xc3\xa9]", "[\xc3\xa9]"},
    {"/a?x=a+b&y=%2B", "[a] x=a b y=+", "[a] x=a b y=+"},
    {"/a?x=1&x=2", "[a] x=1 x=2", "[a] x=1 x=2"},
    {"/a?t=0/0.2/0.1", "[a] t=0/0.2/0.1", "[a] t=0/0.2/0.1"},
    {"/%4", "rejected", "rejected"},
    {"/%zz", "rejected", "rejected"},
    {"http://h/a", "rejected", "rejected"},
    {std::string("/a\0b", 4), "rejected", "rejected"},
    // Accepted only by Boost.URL.
    {"/%00", "rejected", "[\\0]"},
    {"/%0a", "rejected", "[\n]"},
    {"/%7f", "rejected", "[\x7f]"},
    {"/%ff", "rejected", "[\xff]"},
    {"/%C0%AF", "rejected", "[\xc0\xaf]"},
    {"/%ED%A0%80", "rejected", "[\xed\xa0\x80]"},
    {"/a?x=%00", "rejected", "[a] x=\\0"},
    {"/a?x=%ff", "rejected", "[a] x=\xff"},
    // Rejected only by Boost.URL.
    {"/a[1].png", "[a[1].png]", "rejected"},
    {"/a{1}.png", "[a{1}.png]", "rejected"},
    {"/a^b|c", "[a^b|c]", "rejected"},
    {"/\xc3\xa9", "[\xc3\xa9]", "rejected"},
    {"/a?x=[1]", "[a] x=[1]", "rejected"},
    {"/a?x={a}|`^", "[a] x={a}|`^", "rejected"},
    {"/a?x=\"<>", "[a] x=\"<>", "rejected"},
    // Different results.
    {"/", "[]", ""},
    {"/a?", "[a]", "[a] ="},
    {"/a?&&", "[a]", "[a] = = ="},
};

TEST(Url, AcceptsBrowserUrlsOnly)
{
    for (const auto& [text, ours, boost] : url_cases) {
        const auto target = parse_target(text);
        std::string found = target ? "" : "rejected";
        for (const auto& segment : target.value_or(RequestTarget{}).segments)
            found += "[" + segment + "]";
        for (const auto& [name, value] : target.value_or(RequestTarget{}).query)
            found += " " + name + "=" + value;
        EXPECT_EQ(found, ours) << text << ", Boost.URL: " << boost;
    }
}

TEST(Url, JoinsOnlyBelowTheRoot)
{
    EXPECT_EQ(join_safely({"a", "b.txt"}, 0), "a/b.txt");
    EXPECT_EQ(join_safely({"x", "a"}, 1), "a");
    for (auto bad : {"..", ".", "", "a/b", "a\\b"})
        EXPECT_FALSE(join_safely({"a", bad}, 0)) << bad;
}

TEST(Url, RoundTrips)
{
    EXPECT_EQ(percent_encode("a b/\xe6"), "a%20b%2F%E6");
    EXPECT_EQ(percent_encode("a b/c", true), "a%20b/c");
}

TEST(Range, PartsOfAFile)
{
    struct Row {
        const char* field;
        RangeState state;
        std::uint64_t offset, length;
    };
    for (auto row :
         {Row{"bytes=0-9", RangeState::partial, 0, 10}, Row{"bytes=90-", RangeState::partial, 90, 10},
          Row{"bytes=-5", RangeState::partial, 95, 5}, Row{"bytes=-500", RangeState::partial, 0, 100},
          Row{"bytes=99-400", RangeState::partial, 99, 1}, Row{"bytes=100-", RangeState::unsatisfiable, 0, 0},
          Row{"bytes=-0", RangeState::unsatisfiable, 0, 0}, Row{"bytes=5-4", RangeState::whole, 0, 0},
          Row{"bytes=1-2,4-5", RangeState::whole, 0, 0}, Row{"lines=1-2", RangeState::whole, 0, 0},
          Row{"bytes=99999999999999999999-", RangeState::whole, 0, 0}, Row{"bytes=", RangeState::whole, 0, 0},
          Row{"bytes=-", RangeState::whole, 0, 0}}) {
        ByteRange range;
        EXPECT_EQ(parse_range(row.field, 100, range), row.state) << row.field;
        EXPECT_EQ(range.offset, row.offset) << row.field;
        EXPECT_EQ(range.length, row.length) << row.field;
    }
    ByteRange range;
    EXPECT_EQ(parse_range("bytes=0-", 0, range), RangeState::unsatisfiable);
}

TEST(Range, EntityTags)
{
    EXPECT_TRUE(matches_etag("\"a\"", "\"a\""));
    EXPECT_TRUE(matches_etag("\"x\", W/\"a\"", "\"a\""));
    EXPECT_TRUE(matches_etag("*", "\"a\""));
    EXPECT_FALSE(matches_etag("\"b\"", "\"a\""));
    EXPECT_FALSE(matches_etag("", "\"a\""));
}

TEST(Http, HeadersCannotBeSplit)
{
    Response response = text_response(200, "text/plain", "hi");
    response.headers.add("X-Evil", "a\r\nSet-Cookie: b");
    auto head = serialize_head(response, true);
    EXPECT_EQ(head.find("Set-Cookie"), head.npos);
    EXPECT_NE(head.find("Content-Length: 2\r\n"), head.npos);
    EXPECT_TRUE(head.ends_with("\r\n\r\n"));
}

TEST(Http, ParsesEndpoints)
{
    EXPECT_EQ(parse_endpoint("127.0.0.1:8080")->url(), "http://127.0.0.1:8080");
    EXPECT_EQ(parse_endpoint("[::1]:0")->url(), "http://[::1]:0");
    EXPECT_EQ(parse_endpoint(":81")->host, "127.0.0.1");
    EXPECT_TRUE(parse_endpoint("localhost:1")->is_loopback());
    EXPECT_FALSE(parse_endpoint("0.0.0.0:1")->is_loopback());
    for (auto bad : {"", "8080", "1.2.3.4:", "1.2.3.4:65536", "::1:80", "[::1:80", "a:-1"}) {
        EXPECT_FALSE(parse_endpoint(bad)) << bad;
    }
}

TEST(Accept, MostSpecificRangeTakesPrecedence)
{
    EXPECT_EQ(accept_quality("image/webp", "image/webp"), 1.0);
    EXPECT_EQ(accept_quality("image/*;q=0.8, image/webp;q=0.1", "image/webp"), 0.1);
    EXPECT_EQ(accept_quality("*/*;q=0.2 , image/* ; q=0.8", "image/png"), 0.8);
    EXPECT_EQ(accept_quality("image/webp;level=1;q=0.5", "image/webp"), 0.5);
    EXPECT_EQ(accept_quality("Image/WebP;Q=0.5, IMAGE/*;q=0.1", "image/webp"), 0.5) << "case is ignored";
    EXPECT_EQ(accept_quality("IMAGE/*;q=0.1", "image/webp"), 0.1);
    EXPECT_EQ(accept_quality("text/html", "image/webp"), 0.0);
    for (auto bad : {"", ",", ";", ",;q", "image/webp;q=", "image/webp;q=x", "image/webp;q=-1",
                     "image/webp;q=9", "image/webp;q=nan", "image/", "imag/*", "/*"})
        EXPECT_EQ(accept_quality(bad, "image/webp"), 0.0) << bad;
}

TEST(ContentType, MediaTypeIsWithoutParametersInLowerCase)
{
    EXPECT_EQ(media_type_of("application/json"), "application/json");
    EXPECT_EQ(media_type_of("Text/HTML; charset=utf-8"), "text/html");
    EXPECT_EQ(media_type_of(" application/zip ;a=b;c=d"), "application/zip");
    for (const auto* empty : {"", ";", " ; charset=utf-8"})
        EXPECT_EQ(media_type_of(empty), "") << empty;
}

} // namespace vitrine::server
