// The codec of the frames of a link: truncated, changed and hostile bytes.

#include <functional>

#include <gtest/gtest.h>

#include "server/link/link_frames.hpp"

namespace vitrine::server {
namespace {

LinkDigest digest_from(int first)
{
    LinkDigest digest{};
    for (std::size_t i = 0; i < digest.size(); ++i)
        digest[i] = static_cast<std::byte>(static_cast<std::size_t>(first) + i);
    return digest;
}

std::vector<std::string> samples()
{
    const std::string chunk(max_chunk_bytes, 'x');
    std::vector<std::string> all;
    for (const LinkFrame& frame : std::initializer_list<LinkFrame>{
             LinkChallenge{digest_from(1)}, LinkProof{digest_from(2), digest_from(3)},
             LinkWelcome{digest_from(4)}, StreamOpen{1, "as_1", "3", "a=b&c", "token:server", "r1", "4bf9"},
             StreamOpen{2, "as_2", "", "", "", ""}, StreamAccepted{3},
             StreamRejected{4, 503, 5, "too_many_viewers", "Too many."}, StreamData{5, true, false, chunk},
             StreamData{6, false, true, ""}, StreamData{0xffffffff, false, true, "{}"},
             StreamCredit{7, 65536}, StreamClose{8, 1001, "the worker is stopping"}})
        all.push_back(encode_link_frame(frame));
    return all;
}

TEST(LinkFrames, AreTheSameAfterEncodingAndDecoding)
{
    const auto all = samples();
    for (const auto& bytes : all) {
        const auto frame = decode_link_frame(bytes);
        ASSERT_TRUE(frame) << frame.error();
        EXPECT_EQ(encode_link_frame(*frame), bytes);
    }
    const auto open = std::get<StreamOpen>(decode_link_frame(all[3]).value());
    EXPECT_EQ(open.stream, 1u);
    EXPECT_EQ(open.asset, "as_1");
    EXPECT_EQ(open.version, "3");
    EXPECT_EQ(open.query, "a=b&c");
    EXPECT_EQ(open.principal, "token:server");
    EXPECT_EQ(open.request, "r1");
    EXPECT_EQ(open.trace, "4bf9");
    const auto rejected = std::get<StreamRejected>(decode_link_frame(all[6]).value());
    EXPECT_EQ(rejected.status, 503);
    EXPECT_EQ(rejected.retry_after_s, 5u);
    EXPECT_EQ(rejected.detail, "Too many.");
    const auto data = std::get<StreamData>(decode_link_frame(all[9]).value());
    EXPECT_EQ(data.bytes, "{}");
    EXPECT_TRUE(data.is_last);
    EXPECT_FALSE(data.is_binary);
}

TEST(LinkFrames, RejectTruncatedAndLongerBytes)
{
    for (const auto& bytes : samples()) {
        const bool is_data = bytes[0] == 7;
        for (std::size_t size = 0; size < std::min<std::size_t>(bytes.size(), 200); ++size) {
            const auto frame = decode_link_frame(std::string_view(bytes).substr(0, size));
            if (is_data && size >= 8) continue; // a shorter piece
            EXPECT_FALSE(frame) << "type " << int{bytes[0]} << ", " << size << " bytes";
        }
        if (!is_data) EXPECT_FALSE(decode_link_frame(bytes + "x")) << "type " << int{bytes[0]};
    }
    EXPECT_FALSE(decode_link_frame(samples()[7] + "x")) << "a piece that is too large";
}

// Each changed bit gives an error or another frame that has the same bytes again.
TEST(LinkFrames, AreOneToOneWithTheirBytes)
{
    for (const auto& bytes : samples()) {
        for (std::size_t at = 0; at < std::min<std::size_t>(bytes.size(), 100); ++at) {
            for (int bit = 0; bit < 8; ++bit) {
                auto changed = bytes;
                changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
                const auto frame = decode_link_frame(changed);
                if (frame)
                    EXPECT_EQ(encode_link_frame(*frame), changed);
                else
                    EXPECT_FALSE(frame.error().empty());
            }
        }
    }
}

TEST(LinkFrames, RejectWrongHeads)
{
    using namespace std::string_literals;
    EXPECT_FALSE(decode_link_frame("\5\0\0\0\0\0\0\0"s)) << "a stream without number";
    EXPECT_FALSE(decode_link_frame("\1\0\0\0\1\0\0\0"s + std::string(32, 'n'))) << "a challenge of a stream";
    EXPECT_FALSE(decode_link_frame("\5\0\1\0\1\0\0\0"s)) << "bytes that must be zero";
    EXPECT_FALSE(decode_link_frame("\5\1\0\0\1\0\0\0"s)) << "flags of another frame";
    EXPECT_FALSE(decode_link_frame("\7\4\0\0\1\0\0\0x"s)) << "an unknown flag";
    EXPECT_FALSE(decode_link_frame("\7\0\0\0\1\0\0\0"s)) << "an empty piece that is not the last";
    EXPECT_FALSE(decode_link_frame("\0\0\0\0\1\0\0\0"s)) << "type 0";
    EXPECT_FALSE(decode_link_frame("\x0a\0\0\0\1\0\0\0"s)) << "an unknown type";
    EXPECT_TRUE(decode_link_frame("\5\0\0\0\1\0\0\0"s));
}

TEST(LinkFrames, CutTextsAtTheirLimits)
{
    const auto bytes = encode_link_frame(StreamClose{1, 1011, std::string(1000, 'x')});
    const auto frame = decode_link_frame(bytes);
    ASSERT_TRUE(frame) << frame.error();
    EXPECT_EQ(std::get<StreamClose>(*frame).reason.size(), 123u) << "RFC 6455, 5.5";
    auto longer = bytes;
    longer[10] = 124;
    EXPECT_FALSE(decode_link_frame(longer + "x"));
}

} // namespace
} // namespace vitrine::server
