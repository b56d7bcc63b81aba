// The relay of previews over a link whose transport is memory.

#include <gtest/gtest.h>

#include "server/link/link_secret.hpp"
#include "tests/unit/server/link/ends.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;

TEST(LinkTest, CarriesMessagesBothWays)
{
    LinkEnds ends;
    const auto [stream, viewer] = ends.view("as_1"); // waits until the link is ready
    ends.start();
    ASSERT_TRUE(ends.run_until([&] { return viewer->is_accepted; }));
    ASSERT_EQ(ends.opened.size(), 1u);
    EXPECT_EQ(ends.opened[0].asset, "as_1");
    ends.client->send(stream, "one");
    ends.client->send(stream, std::string(60'000, 'x'));
    auto& preview = *ends.previews.at(0);
    ASSERT_TRUE(ends.run_until([&] { return preview.received.size() == 2; }));
    EXPECT_EQ(preview.received[0], "one");
    EXPECT_EQ(preview.received[1].size(), 60'000u);
    preview.say(WebSocketText{"hello"});
    preview.say(binary_of(300'000));
    ASSERT_TRUE(ends.run_until([&] { return viewer->messages.size() == 2; }));
    EXPECT_EQ(joined(viewer->messages[0].message), "hello");
    EXPECT_EQ(joined(viewer->messages[1].message), joined(binary_of(300'000)));
    preview.say(WebSocketClose{1011, "drawing failed"});
    ASSERT_TRUE(ends.run_until([&] { return viewer->close.has_value(); }));
    EXPECT_EQ(viewer->close->code, 1011);
    EXPECT_EQ(viewer->close->reason, "drawing failed");
    EXPECT_EQ(ends.client->streams(), 0u);
    EXPECT_FALSE(ends.server_close) << "the link stays for others";
}

TEST(LinkTest, CarriesTheRejectionOfThePreview)
{
    LinkEnds ends;
    ends.start();
    const auto missing = ends.view("missing").second, broken = ends.view("broken").second;
    ASSERT_TRUE(ends.run_until([&] { return missing->problem && broken->problem; }));
    EXPECT_EQ(missing->problem->status, 404);
    EXPECT_EQ(missing->problem->code, "not_found");
    EXPECT_EQ(broken->problem->status, 500);
}

TEST(LinkTest, ViewerThatLeavesEndsItsPreview)
{
    LinkEnds ends;
    ends.start();
    const auto [first, one] = ends.view("a");
    const auto [second, other] = ends.view("b");
    ASSERT_TRUE(ends.run_until([&] { return one->is_accepted && other->is_accepted; }));
    ends.client->leave(first);
    ASSERT_TRUE(ends.run_until([&] { return ends.previews[0]->is_gone; }));
    EXPECT_FALSE(ends.previews[1]->is_gone);
    EXPECT_EQ(ends.client->streams(), 1u);
}

// A viewer that reads nothing gets at most its window, and another one is not stopped.
TEST(LinkTest, SlowViewerStopsOnlyItsOwnPreview)
{
    LinkEnds ends;
    ends.start();
    const auto slow = ends.view("fast").second;
    const auto [stream, other] = ends.view("b");
    ASSERT_TRUE(ends.run_until([&] { return slow->messages.size() >= 10 && other->is_accepted; }));
    for (int i = 0; i < 50; ++i) {
        ends.previews[1]->say(binary_of(200'000));
        ASSERT_TRUE(ends.run_until([&] { return !other->messages.empty(); })) << i;
        ends.client->consumed(stream, other->messages[0].cost);
        other->messages.clear();
    }
    EXPECT_LE(slow->messages.size(), stream_window_bytes / 100'000 + 1);
    EXPECT_LE(ends.previews[0]->sent, stream_window_bytes / 100'000 + 2) << "no image is made in advance";
}

TEST(LinkTest, ViewerThatSendsTooMuchIsClosed)
{
    LinkEnds ends;
    ends.start();
    const auto [stream, viewer] = ends.view("a");
    ASSERT_TRUE(ends.run_until([&] { return viewer->is_accepted; }));
    for (int i = 0; i < 20 && !viewer->close; ++i)
        ends.client->send(stream, std::string(60'000, 'x'));
    ASSERT_TRUE(viewer->close);
    EXPECT_EQ(viewer->close->code, 1008);
    EXPECT_TRUE(ends.run_until([&] { return ends.previews[0]->is_gone; }));
}

TEST(LinkTest, NumberOfStreamsIsLimited)
{
    LinkEnds ends({}, "secret", 2);
    ends.start();
    std::vector<std::shared_ptr<FakeViewer>> viewers;
    for (int i = 0; i < 3; ++i)
        viewers.push_back(ends.view("a").second);
    ASSERT_TRUE(ends.run_until([&] { return viewers[2]->problem.has_value(); }));
    EXPECT_EQ(viewers[2]->problem->code, "too_many_viewers");
    EXPECT_EQ(viewers[2]->problem->retry_after_s, 5u);
    EXPECT_TRUE(ends.run_until([&] { return viewers[0]->is_accepted && viewers[1]->is_accepted; }));
}

TEST(LinkTest, WrongSecretEndsTheLink)
{
    LinkEnds ends({}, "another secret");
    ends.start();
    const auto viewer = ends.view("a").second;
    ASSERT_TRUE(ends.run_until([&] { return viewer->is_lost && ends.server_close; }));
    EXPECT_EQ(ends.server_close->code, 1008);
    EXPECT_EQ(ends.server_close->reason, "the proof is wrong: both processes need the same secret");
    EXPECT_TRUE(ends.opened.empty());
}

// A process that answers at the worker's address gets no requests of viewers.
TEST(LinkTest, FalseWorkerIsRejected)
{
    LinkEnds ends;
    ends.client->begin();
    ends.client->start(ends.io.get_executor());
    const auto viewer = ends.view("a").second;
    ends.client->receive_binary(encode_link_frame(LinkChallenge{make_challenge()}));
    ends.client->receive_binary(encode_link_frame(LinkWelcome{make_challenge()}));
    EXPECT_TRUE(viewer->is_lost);
    EXPECT_EQ(ends.client->failure(), "its proof is wrong: both processes need the same secret");
}

TEST(LinkTest, LinkThatDoesNotBeginInTimeEnds)
{
    LinkEnds ends({.ready = 20ms});
    ends.client->begin();
    const auto viewer = ends.view("a").second;
    ASSERT_TRUE(ends.run_until([&] { return viewer->is_lost; }));
    EXPECT_EQ(ends.client->failure(), "it has not begun the link in time");
}

TEST(LinkTest, WorkerThatOpensNothingEndsTheLink)
{
    LinkEnds ends({.open = 50ms});
    ends.start();
    const auto first = ends.view("hung").second, second = ends.view("hung").second;
    ASSERT_TRUE(ends.run_until([&] { return first->is_lost && second->is_lost; }));
    EXPECT_EQ(ends.client->failure(), "it answers pings, but has not opened a preview in time");
    EXPECT_TRUE(ends.client->is_broken()) << "the worker is not tried for a while";
}

TEST(LinkTest, OnePreviewThatDoesNotOpenEndsAlone)
{
    LinkEnds ends({.open = 50ms});
    ends.start();
    const auto [stream, works] = ends.view("a");
    ASSERT_TRUE(ends.run_until([&] { return works->is_accepted; }));
    const auto hung = ends.view("hung").second;
    ASSERT_TRUE(ends.run_until([&] { return hung->is_lost; }));
    EXPECT_FALSE(ends.client->has_ended());
    EXPECT_EQ(ends.client->streams(), 1u);
    ends.client->send(stream, "one");
    ASSERT_TRUE(ends.run_until([&] { return ends.previews.at(0)->received.size() == 1; }));
    EXPECT_FALSE(works->close || works->is_lost);
}

TEST(LinkTest, StopOfTheApiProcessClosesViewersAndEndsOpenings)
{
    LinkEnds ends;
    ends.start();
    const auto open = ends.view("a").second, hung = ends.view("hung").second;
    ASSERT_TRUE(ends.run_until([&] { return open->is_accepted && ends.opened.size() == 2; }));
    ends.client->stop();
    ASSERT_TRUE(open->close);
    EXPECT_EQ(open->close->code, 1001);
    EXPECT_FALSE(open->is_lost) << "it is no failure of the worker";
    EXPECT_TRUE(hung->is_lost);
    EXPECT_FALSE(ends.client->is_broken());
    ASSERT_TRUE(ends.run_until([&] { return ends.previews.at(0)->is_gone; }));
}

TEST(LinkTest, IdleLinkEnds)
{
    LinkEnds ends({.idle = 50ms});
    ends.start();
    const auto [stream, viewer] = ends.view("a");
    ASSERT_TRUE(ends.run_until([&] { return viewer->is_accepted; }));
    ends.run_until([&, until = std::chrono::steady_clock::now() + 150ms] {
        return std::chrono::steady_clock::now() > until;
    });
    EXPECT_FALSE(ends.client->has_ended()) << "a viewer is there";
    ends.client->leave(stream);
    ASSERT_TRUE(ends.run_until([&] { return ends.client->has_ended(); }));
    EXPECT_EQ(ends.client->failure(), "");
}

TEST(LinkTest, StoppingWorkerEndsTheLink)
{
    LinkEnds ends;
    ends.start();
    const auto viewer = ends.view("a").second;
    ASSERT_TRUE(ends.run_until([&] { return viewer->is_accepted; }));
    ends.server->stop();
    ASSERT_TRUE(ends.run_until([&] { return viewer->is_lost; }));
    EXPECT_TRUE(ends.previews[0]->is_gone);
    EXPECT_TRUE(ends.view("b").second->is_lost) << "a link that has ended opens nothing";
}

// What a hostile process sends to a worker: each ends the link, and all of its previews.
TEST(LinkTest, WorkerClosesLinksThatBreakTheRules)
{
    const std::string big(8, 'x');
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"", "a frame of unknown type 0"},
        {"garbage!", ""},
        {encode_link_frame(LinkChallenge{}), "a frame that a worker does not get"},
        {encode_link_frame(LinkProof{}), "a second proof"},
        {encode_link_frame(StreamOpen{1, "b", "", "", "", ""}), "a number of a stream that was used before"},
        {encode_link_frame(StreamData{2, false, true, "x"}), "a frame of a stream that was not opened"},
        {encode_link_frame(StreamClose{9, 1000, ""}), "the close of a stream that was not opened"},
        {encode_link_frame(StreamCredit{1, 1}), "more credit than the window"},
        {encode_link_frame(StreamAccepted{1}), "a frame that a worker does not get"}};
    for (const auto& [bytes, reason] : wrong) {
        LinkEnds ends;
        ends.start();
        const auto viewer = ends.view("a").second;
        ASSERT_TRUE(ends.run_until([&] { return viewer->is_accepted; }));
        ends.server->receive_binary(bytes);
        ASSERT_TRUE(ends.run_until([&] { return ends.server_close.has_value(); })) << reason;
        EXPECT_EQ(ends.server_close->code, 1008);
        if (!reason.empty()) EXPECT_EQ(ends.server_close->reason, reason);
        EXPECT_TRUE(ends.previews[0]->is_gone);
    }
}

TEST(LinkTest, StreamsBeforeTheProofEndTheLink)
{
    LinkEnds ends;
    ends.server->start(ends.io.get_executor());
    asio::co_spawn(ends.io, LinkEnds::carry(*ends.server, *ends.client, ends.server_close), asio::detached);
    ends.server->receive_binary(encode_link_frame(StreamOpen{1, "a", "", "", "", ""}));
    ASSERT_TRUE(ends.run_until([&] { return ends.server_close.has_value(); }));
    EXPECT_EQ(ends.server_close->reason, "a stream before the proof");
    EXPECT_TRUE(ends.opened.empty());
}

// What a hostile process sends in place of a worker.
TEST(LinkTest, ApiProcessClosesLinksThatBreakTheRules)
{
    for (const LinkFrame& frame : std::initializer_list<LinkFrame>{
             LinkChallenge{}, LinkWelcome{}, LinkProof{}, StreamOpen{1, "b", "", "", "", ""},
             StreamAccepted{1}, StreamRejected{1, 404, 0, "", ""}, StreamAccepted{9},
             StreamRejected{9, 404, 0, "", ""}, StreamData{9, true, true, ""}, StreamCredit{1, 1}}) {
        LinkEnds ends;
        ends.start();
        const auto viewer = ends.view("a").second;
        ASSERT_TRUE(ends.run_until([&] { return viewer->is_accepted; }));
        ends.client->receive_binary(encode_link_frame(frame));
        EXPECT_TRUE(viewer->is_lost) << "type " << frame.index() + 1;
        EXPECT_NE(ends.client->failure(), "");
    }
    LinkEnds ends;
    ends.start();
    const auto viewer = ends.view("missing").second;
    ends.client->receive_binary(encode_link_frame(StreamAccepted{1}));
    EXPECT_TRUE(viewer->is_lost) << "before the proof";
}

} // namespace
} // namespace vitrine::server::testing
