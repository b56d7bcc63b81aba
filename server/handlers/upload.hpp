#pragma once
// Requests whose body is an upload: multipart, one zip or file, or the names of finished uploads.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "server/handlers/handlers.hpp"
#include "server/services/catalog/records.hpp"

namespace vitrine::server {

struct UploadPurpose {
    std::string key;    // Idempotency-Key; may be empty
    std::string target; // identifies, with the files, what the request asks for
    std::function<HandlerResult(std::vector<FileRecord>)> ingest; // of the files; blocking
};

// Receives the files and answers as `purpose.ingest` does. Named uploads exist no more if it has succeeded.
// `name`: of a body that is one file. `request`, `body` and `context` must outlive it.
asio::awaitable<HandlerResult> take_upload(Request& request, std::optional<std::string> name,
                                           UploadPurpose purpose, BodySource& body, Context& context);

} // namespace vitrine::server
