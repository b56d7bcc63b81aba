#pragma once
// The XML answers of S3, and the dates of its headers. The functions return an empty optional for text that
// is not the answer that they read. No state; any thread.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::server {

struct S3Object {
    std::string key;
    std::uint64_t size_bytes = 0;
    std::int64_t modified_s = 0; // seconds since 1970, by the clock of the store
};

// A page of ListObjectsV2.
struct S3Listing {
    std::vector<S3Object> objects;
    std::string continuation{}; // names the next page; empty: this is the last
    std::int64_t now_s = 0;     // the time of the store at the answer, as modified_s
};

// A multipart upload that was neither completed nor aborted.
struct S3PendingUpload {
    std::string key;
    std::string id;
    std::int64_t initiated_s = 0;
};

struct S3ErrorAnswer {
    std::string code; // "NoSuchKey"
    std::string message;
};

std::optional<S3Listing> parse_listing(std::string_view xml); // without now_s
std::optional<std::vector<S3PendingUpload>> parse_pending_uploads(std::string_view xml);
std::optional<std::string> parse_upload_id(std::string_view xml); // of CreateMultipartUpload
std::optional<S3ErrorAnswer> parse_s3_error(std::string_view xml);
// The status that the body of a 200 means: S3 answers CompleteMultipartUpload with 200 before it joins the
// parts, and an error may follow in the body. 500: a repetition may succeed.
long status_of_body(std::string_view xml);
// The body of CompleteMultipartUpload: entity tags of the parts, in order.
std::string completion_xml(const std::vector<std::string>& etags);

std::optional<std::int64_t> parse_iso_time(std::string_view text);  // 2009-10-12T17:50:30.000Z
std::optional<std::int64_t> parse_http_date(std::string_view text); // Mon, 12 Oct 2009 17:50:30 GMT

} // namespace vitrine::server
