#pragma once
// HTTP as handlers see it: plain values, no socket and no parser library. One thread at a time owns a value.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/net/stream_body.hpp"
#include "server/net/url.hpp"

namespace vitrine::server {

enum class Method : std::uint8_t { get, head, post, put, patch, delete_, options, other };
std::string_view to_string(Method method);
Method parse_method(std::string_view name);

// In order of arrival; names compare without case.
class Headers {
public:
    std::optional<std::string_view> find(std::string_view name) const;
    std::size_t count(std::string_view name) const;
    void add(std::string name, std::string value) { fields_.emplace_back(std::move(name), std::move(value)); }
    void set(std::string_view name, std::string value); // replaces what is there
    auto begin() const { return fields_.begin(); }
    auto end() const { return fields_.end(); }

private:
    std::vector<std::pair<std::string, std::string>> fields_;
};

struct Request {
    Method method = Method::get;
    std::string method_name;
    Target target;
    Headers headers;
    std::optional<std::uint64_t> content_length;
    std::string body; // read before the handler runs, where its route says so
    std::string id;   // in the answer's X-Request-Id and in the log
    std::vector<std::pair<std::string, std::string>> params; // what the route's {names} matched, decoded

    // Precondition: the route has it.
    const std::string& param(std::string_view name) const;
};

using SharedBytes = std::shared_ptr<const std::vector<std::byte>>;

// An open file, closed when the last slice of it is gone.
class FileHandle {
public:
    explicit FileHandle(int descriptor) : descriptor_(descriptor) {}
    ~FileHandle();
    FileHandle(const FileHandle&) = delete;
    FileHandle& operator=(const FileHandle&) = delete;
    int descriptor() const { return descriptor_; }

private:
    int descriptor_;
};
struct FileSlice {
    std::shared_ptr<FileHandle> file;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

using ResponseBody = std::variant<std::string, SharedBytes, FileSlice, std::unique_ptr<StreamBody>,
                                  std::unique_ptr<SocketSession>>;
struct Response {
    int status = 200;
    Headers headers{};
    ResponseBody body{};
    bool close = false; // the connection ends after it
};

// Without the spaces and tabs around a field's value.
std::string_view without_blanks(std::string_view text);

// Bytes that the body announces; empty for streams and sockets.
std::optional<std::uint64_t> body_length(const ResponseBody& body);
std::string_view reason_phrase(int status);
// Status line and header fields, ready to send. Values with a control character are dropped, so that no
// input can split a response.
std::string serialize_head(const Response& response, bool keep_alive);

Response text_response(int status, std::string type, std::string body);
Response bytes_response(std::string type, SharedBytes bytes);

// 64 random bits in hexadecimal.
std::string make_request_id();

} // namespace vitrine::server
