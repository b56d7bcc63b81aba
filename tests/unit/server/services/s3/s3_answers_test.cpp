#include "server/services/s3/s3_answers.hpp"

#include <gtest/gtest.h>

namespace vitrine::server {
namespace {

const std::string listing_xml = R"(<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
  <Name>bucket</Name><Prefix>a/</Prefix><KeyCount>2</KeyCount><MaxKeys>2</MaxKeys><IsTruncated>true</IsTruncated>
  <NextContinuationToken>1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J/wm36Hy4vbOwM=</NextContinuationToken>
  <Contents><Key>a/x&amp;y</Key><LastModified>2009-10-12T17:50:30.000Z</LastModified>
    <ETag>&quot;fba9dede5f27731c9771645a39863328&quot;</ETag><Size>434234</Size></Contents>
  <Contents><Key>a/z</Key><LastModified>1970-01-02T00:00:01Z</LastModified><Size>0</Size></Contents>
</ListBucketResult>)";

std::string replaced(std::string text, std::string_view from, std::string_view to)
{
    text.replace(text.find(from), from.size(), to);
    return text;
}

TEST(S3Answers, ListingHasItsObjectsAndTheNextPage)
{
    const auto listing = parse_listing(listing_xml);
    ASSERT_TRUE(listing);
    EXPECT_EQ(listing->continuation, "1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J/wm36Hy4vbOwM=");
    ASSERT_EQ(listing->objects.size(), 2u);
    EXPECT_EQ(listing->objects[0].key, "a/x&y");
    EXPECT_EQ(listing->objects[0].size_bytes, 434'234u);
    EXPECT_EQ(listing->objects[0].modified_s, 1'255'369'830);
    EXPECT_EQ(listing->objects[1].modified_s, 86'401);
    const auto last = parse_listing(replaced(listing_xml, "<IsTruncated>true", "<IsTruncated>false"));
    ASSERT_TRUE(last);
    EXPECT_EQ(last->continuation, "");
}

// S3 answers 200 before it joins the parts of an upload.
TEST(S3Answers, ErrorsInTheBodyOfASuccessCount)
{
    const auto status = [](const std::string& code) {
        return status_of_body("<Error><Code>" + code + "</Code><Message>x</Message></Error>");
    };
    EXPECT_EQ(status_of_body("<CompleteMultipartUploadResult/>"), 200);
    EXPECT_EQ(status_of_body(""), 200);
    EXPECT_EQ(status("InternalError"), 500);
    EXPECT_EQ(status("SlowDown"), 500);
    EXPECT_EQ(status("NoSuchUpload"), 404);
    EXPECT_EQ(status("InvalidPart"), 400);
    EXPECT_EQ(status("EntityTooSmall"), 400);
}

TEST(S3Answers, MalformedListingsAreRejected)
{
    EXPECT_FALSE(parse_listing(""));
    EXPECT_FALSE(parse_listing("not XML <"));
    EXPECT_FALSE(parse_listing("<Error><Code>NoSuchBucket</Code></Error>"));
    EXPECT_FALSE(parse_listing(listing_xml.substr(0, listing_xml.size() / 2)));
    EXPECT_FALSE(parse_listing(replaced(listing_xml, "434234", "-1")));
    EXPECT_FALSE(parse_listing(replaced(listing_xml, "434234", "99999999999999999999")));
    EXPECT_FALSE(parse_listing(replaced(listing_xml, "2009-10-12T", "2009-13-12T")));
    EXPECT_FALSE(parse_listing(replaced(listing_xml, "<Key>a/z</Key>", "")));
    EXPECT_FALSE(parse_listing(replaced(listing_xml, "1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J/wm36Hy4vbOwM=", "")))
        << "a list that goes on without saying where";
}

TEST(S3Answers, ErrorsHaveTheirCode)
{
    const auto error = parse_s3_error(
        "<Error><Code>AccessDenied</Code><Message>Access Denied</Message><HostId>x</HostId></Error>");
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, "AccessDenied");
    EXPECT_EQ(error->message, "Access Denied");
    EXPECT_FALSE(parse_s3_error("<html>502</html>"));
    const auto endless =
        parse_s3_error("<Error><Message>" + std::string(100'000, 'x') + "</Message></Error>");
    EXPECT_LE(endless->message.size(), 300u);
}

TEST(S3Answers, UploadsInParts)
{
    EXPECT_EQ(parse_upload_id("<InitiateMultipartUploadResult><UploadId>VXB-_.</UploadId>"
                              "</InitiateMultipartUploadResult>"),
              "VXB-_.");
    EXPECT_FALSE(parse_upload_id("<InitiateMultipartUploadResult/>"));
    EXPECT_EQ(completion_xml({"\"a\"", "\"b\""}),
              "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\"a\"</ETag></Part>"
              "<Part><PartNumber>2</PartNumber><ETag>\"b\"</ETag></Part></CompleteMultipartUpload>");
    const auto pending = parse_pending_uploads(
        "<ListMultipartUploadsResult><Upload><Key>k</Key><UploadId>u</UploadId>"
        "<Initiated>1970-01-01T00:01:00.000Z</Initiated></Upload></ListMultipartUploadsResult>");
    ASSERT_TRUE(pending);
    ASSERT_EQ(pending->size(), 1u);
    EXPECT_EQ(pending->front().id, "u");
    EXPECT_EQ(pending->front().initiated_s, 60);
    EXPECT_FALSE(parse_pending_uploads(
        "<ListMultipartUploadsResult><Upload><Key>k</Key></Upload></ListMultipartUploadsResult>"));
}

TEST(S3Answers, Dates)
{
    EXPECT_EQ(parse_http_date("Mon, 12 Oct 2009 17:50:30 GMT"), 1'255'369'830);
    EXPECT_EQ(parse_iso_time("2009-10-12T17:50:30.000Z"), 1'255'369'830);
    for (const char* text : {"", "Mon, 12 Oct 2009 17:50:30 CET", "Mon, 32 Oct 2009 17:50:30 GMT",
                             "Mon, 12 Oxt 2009 17:50:30 GMT", "Mon, 12 Oct 2009 27:50:30 GMT",
                             "Mon, -1 Oct 2009 17:50:30 GMT", "Mon, 12 Oct 1969 17:50:30 GMT"})
        EXPECT_FALSE(parse_http_date(text)) << text;
    for (const char* text : {"", "2009-10-12 17:50:30.000Z", "2009-02-30T17:50:30.000Z", "2009-10-12T17:50Z",
                             "2009-10-12T17:5x:30.000Z", "2009-10-12T17:50:30.000+01:00"})
        EXPECT_FALSE(parse_iso_time(text)) << text;
}

} // namespace
} // namespace vitrine::server
