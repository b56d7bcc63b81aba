// The multipart parser: input and resulting events, split at every position.

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "server/net/multipart.hpp"

namespace vitrine::server {
namespace {

// Feeds pieces; adjacent data is merged, because its segmentation is unspecified.
class Transcript {
public:
    explicit Transcript(std::string_view boundary) : parser_(boundary) {}

    void feed(std::string_view piece)
    {
        parser_.feed(piece);
        for (;;) {
            switch (parser_.next()) {
            case MultipartEvent::need_input: return;
            case MultipartEvent::part_begin: begin(); break;
            case MultipartEvent::part_data: text_ += parser_.data(); break;
            case MultipartEvent::part_end: text_ += ">"; break;
            case MultipartEvent::finished: text_ += "."; return;
            case MultipartEvent::failed: text_ += "!" + parser_.error(); return;
            }
        }
    }
    const std::string& text() const { return text_; }

private:
    void begin()
    {
        const auto& part = parser_.part();
        text_ += "[" + part.name + (part.filename ? "=" + *part.filename : "") + "]<";
    }

    MultipartParser parser_;
    std::string text_;
};

std::string run(std::string_view boundary, std::string_view body)
{
    Transcript transcript(boundary);
    transcript.feed(body);
    return transcript.text();
}

const std::string two_files = "--XyZ\r\n"
                              "Content-Disposition: form-data; name=\"file\"; filename=\"a/b.gltf\"\r\n"
                              "Content-Type: model/gltf+json\r\n"
                              "\r\n"
                              "one\r\n--Xy almost\r\n\r\r\n-"
                              "\r\n--XyZ\r\n"
                              "content-disposition: form-data; name=file; filename=\"c.bin\"\r\n"
                              "\r\n"
                              "\r\n--XyZ--\r\nepilogue";
const std::string two_files_events = "[file=a/b.gltf]<one\r\n--Xy almost\r\n\r\r\n->[file=c.bin]<>.";

} // namespace

TEST(Multipart, TwoFilesInOnePiece)
{
    EXPECT_EQ(run("XyZ", two_files), two_files_events);
}

TEST(Multipart, EverySplitPositionIsEquivalent)
{
    for (std::size_t cut = 0; cut <= two_files.size(); ++cut) {
        Transcript transcript("XyZ");
        transcript.feed(std::string_view(two_files).substr(0, cut));
        if (!transcript.text().ends_with(".")) transcript.feed(std::string_view(two_files).substr(cut));
        ASSERT_EQ(transcript.text(), two_files_events) << "cut at " << cut;
    }
}

TEST(Multipart, ByteByByteIsEquivalent)
{
    Transcript transcript("XyZ");
    for (std::size_t i = 0; i < two_files.size() && !transcript.text().ends_with("."); ++i) {
        transcript.feed(std::string_view(two_files).substr(i, 1));
    }
    EXPECT_EQ(transcript.text(), two_files_events);
}

// Carriage returns may begin a boundary; each event may cost a write to the disk.
TEST(Multipart, CarriageReturnsAreEmittedInContiguousSpans)
{
    const std::string header = "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n";
    const std::string part = std::string(10'000, '\r') + "\r\n--A" + std::string(10'000, '\r');
    MultipartParser parser("B");
    std::size_t spans = 0;
    std::string data;
    for (const std::string& input : {header, part, part, std::string("\r\n--B--")}) {
        parser.feed(input);
        for (auto event = parser.next(); event != MultipartEvent::need_input; event = parser.next()) {
            ASSERT_NE(event, MultipartEvent::failed) << parser.error();
            if (event == MultipartEvent::finished) break;
            if (event != MultipartEvent::part_data) continue;
            data += parser.data();
            ++spans;
        }
    }
    EXPECT_TRUE(data == part + part);
    EXPECT_LE(spans, 5u);
}

TEST(Multipart, PreambleIsSkippedAndPaddingAllowed)
{
    EXPECT_EQ(run("B", "hello\r\n--B  \t\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\nv\r\n--B--"),
              "[n]<v>.");
}

TEST(Multipart, NamesAsBrowsersAndCurlEscapeThem)
{
    auto body = [](const std::string& disposition) {
        return "--B\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n\r\n--B--";
    };
    EXPECT_EQ(run("B", body("name=\"a\"; filename=\"x%22y.obj\"")), "[a=x\"y.obj]<>.");
    EXPECT_EQ(run("B", body("name=\"a\"; filename=\"x\\\"y.obj\"")), "[a=x\"y.obj]<>.");
    EXPECT_EQ(run("B", body("name=\"a\"; filename=\"C:\\models\\y.obj\"")), "[a=C:\\models\\y.obj]<>.");
    EXPECT_EQ(run("B", body("name=\"a\"; filename=\"fallback\"; filename*=UTF-8''%E6%A8%A1%E5%9E%8B.glb")),
              "[a=\xe6\xa8\xa1\xe5\x9e\x8b.glb]<>.");
    EXPECT_EQ(run("B", body("name=\"a\"; filename=\"\"")), "[a=]<>.");
}

TEST(Multipart, HeaderOfAPartHasAtMost16KiB)
{
    // Returns a form whose part has a header of `bytes` bytes, with the empty line at its end.
    const auto form = [](std::size_t bytes) {
        const std::string disposition = "Content-Disposition: form-data; name=\"a\"\r\nX: ";
        return "--B\r\n" + disposition + std::string(bytes - disposition.size() - 4, 'x') +
               "\r\n\r\nv\r\n--B--";
    };
    EXPECT_EQ(run("B", form(16'384)), "[a]<v>.");
    EXPECT_EQ(run("B", form(16'386)), "!the header of a part is longer than 16 KiB");
}

TEST(Multipart, RejectsInvalidForms)
{
    const std::string no_name = "!a part has no valid Content-Disposition with a name";
    EXPECT_EQ(run("B", "--B\r\n\r\nbody\r\n--B--"), no_name);
    EXPECT_EQ(run("B", "--B\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\n"), no_name);
    EXPECT_EQ(run("B", "--B\r\nContent-Disposition: form-data; name=\"open\r\n\r\n"), no_name);
    EXPECT_EQ(run("B", "--B\r\nContent-Disposition: form-data; name=\"\xff\"\r\n\r\n"), no_name);
    EXPECT_EQ(run("B", "--Bxx\r\n"), "!a multipart boundary is followed by other characters");
    EXPECT_EQ(run("B", "--B" + std::string(100, ' ')),
              "!a multipart boundary is not followed by a line break");
    EXPECT_EQ(run("B", "--B\r\nX: " + std::string(20'000, 'x')),
              "!the header of a part is longer than 16 KiB");
    EXPECT_EQ(run("B", std::string(70'000, 'x')), "!the multipart body does not begin with its boundary");
}

TEST(Multipart, EarlyEndIsIncomplete)
{
    EXPECT_EQ(run("XyZ", two_files.substr(0, two_files.size() - 12)),
              two_files_events.substr(0, two_files_events.size() - 1));
}

TEST(Multipart, BoundaryOfAContentType)
{
    EXPECT_EQ(multipart_boundary("multipart/form-data; boundary=abc"), "abc");
    EXPECT_EQ(multipart_boundary("Multipart/Form-Data; charset=utf-8; Boundary=\"a b\""), "a b");
    EXPECT_FALSE(multipart_boundary("multipart/form-data"));
    EXPECT_FALSE(multipart_boundary("multipart/mixed; boundary=abc"));
    EXPECT_FALSE(multipart_boundary("multipart/form-data; boundary="));
    EXPECT_FALSE(multipart_boundary("multipart/form-data; boundary=" + std::string(71, 'a')));
}

TEST(Multipart, FileNameOfADisposition)
{
    EXPECT_EQ(disposition_filename("attachment; filename=\"a b.glb\""), "a b.glb");
    EXPECT_EQ(disposition_filename("inline; FileName=robot.glb"), "robot.glb");
    EXPECT_EQ(disposition_filename("attachment; filename=x; filename*=UTF-8''k%C3%B6i.glb"), "k\u00f6i.glb");
    for (const auto* without : {"", "attachment", "attachment; filename=", "attachment; filename=\"\x01\"",
                                "attachment; filename=\"\xff\"", "attachment; name=x"})
        EXPECT_FALSE(disposition_filename(without)) << without;
}

} // namespace vitrine::server
