#pragma once
// AWS Signature Version 4 of requests to S3, with OpenSSL's HMAC
// (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html). libcurl 7.88 can
// sign, but neither sorts nor encodes the query, sends no x-amz-content-sha256 and makes no signed links
// (github.com/curl/curl/issues/8810 and 9717). Functions without state; any thread.

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vitrine::server {

struct S3Keys {
    std::string access_key;
    std::string secret_key;
    std::string session_token{}; // of temporary keys; otherwise empty
};

using S3Fields = std::vector<std::pair<std::string, std::string>>;

struct S3SignedRequest {
    std::string method;
    std::string path;         // as encode_uri(path, true) has made it
    S3Fields query{};         // not encoded, any order
    S3Fields headers;         // that are signed; names in lower case, any order, with "host"
    std::string payload_hash; // SHA-256 in hexadecimal digits, or "UNSIGNED-PAYLOAD"
};

// Where and when a signature is valid.
struct S3Scope {
    std::string region;
    std::chrono::sys_seconds time;
};

// Encodes all bytes except letters, digits and -._~ as %XX; with `keep_slash` also not '/'.
std::string encode_uri(std::string_view text, bool keep_slash = false);
// Returns name=value pairs, encoded and sorted as they are signed, joined by '&'.
std::string encode_query(const S3Fields& query);
// Returns a time as 20130524T000000Z.
std::string to_amz_date(std::chrono::sys_seconds time);

// Returns the value of the header Authorization. `headers` must contain "x-amz-date" with to_amz_date() of
// the same time, and "x-amz-content-sha256".
std::string sign_header(const S3SignedRequest& request, const S3Keys& keys, const S3Scope& scope);
// Returns the query, encoded, of a link that is valid for `seconds` from the time of `scope`.
std::string sign_query(S3SignedRequest request, const S3Keys& keys, const S3Scope& scope, unsigned seconds);

} // namespace vitrine::server
