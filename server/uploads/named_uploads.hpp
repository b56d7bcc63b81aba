#pragma once
// Finished uploads that a request for new assets names.

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "api/problem.hpp"
#include "server/routing/context.hpp"

namespace vitrine::server {

struct NamedUpload {
    std::string id;
    std::string name; // instead of the upload's own; may be empty
    bool operator==(const NamedUpload&) const = default;
};

// Parses {"uploads": [ID or {"id", "name"}, ...]}; 400 for anything else and for more than `max`.
std::expected<std::vector<NamedUpload>, api::Problem> parse_named_uploads(std::string_view json,
                                                                          std::size_t max);
// Returns a text that is equal for equal lists, for keys of repeated requests.
std::string content_of(const std::vector<NamedUpload>& uploads);

struct NamedFiles {
    std::vector<OpenUpload> uploads;
    std::vector<FileRecord> files; // pinned
};
// 404 for an upload that does not exist, 409 for unfinished ones, which `errors` names, 422 without a name.
// Blocking: copies the parts of uploads that have several.
std::expected<NamedFiles, api::Problem> read_named_uploads(const std::vector<NamedUpload>& named,
                                                           Context& context);

} // namespace vitrine::server
