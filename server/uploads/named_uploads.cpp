#include "server/uploads/named_uploads.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "server/routing/problems.hpp"
#include "server/uploads/receive_parts.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

api::Problem bad_entry(std::size_t index, std::string detail)
{
    return {.status = 400,
            .code = "bad_body",
            .detail = "The uploads are not named as they must be.",
            .errors = {{fmt::format("/uploads/{}", index), std::move(detail)}}};
}

// Without other members than "id" and "name".
std::optional<NamedUpload> parse_entry(const json::value& value)
{
    if (const auto* id = value.if_string()) return NamedUpload{std::string(*id), {}};
    const auto* object = value.if_object();
    if (object == nullptr) return std::nullopt;
    NamedUpload entry;
    for (const auto& [key, member] : *object) {
        if (!member.is_string() || (key != "id" && key != "name")) return std::nullopt;
        (key == "id" ? entry.id : entry.name) = std::string(member.as_string());
    }
    if (entry.id.empty()) return std::nullopt;
    return entry;
}

std::expected<std::vector<OpenUpload>, api::Problem> find_uploads(const std::vector<NamedUpload>& named,
                                                                  Context& context)
{
    std::vector<OpenUpload> uploads;
    api::Problem unfinished{
        .status = 409, .code = "upload_unfinished", .detail = "Not all bytes of the uploads have arrived."};
    for (std::size_t i = 0; i < named.size(); ++i) {
        auto upload = context.services.uploads.find(named[i].id);
        if (!upload) return problem(upload.error());
        if (!upload->is_finished())
            unfinished.errors.push_back(
                {fmt::format("/uploads/{}", i),
                 fmt::format("{} has {} of {} bytes", upload->id, upload->received, upload->length)});
        if (upload->is_partial())
            unfinished.errors.push_back(
                {fmt::format("/uploads/{}", i), upload->id + " is a part of another upload"});
        if (!named[i].name.empty()) upload->name = named[i].name;
        if (upload->name.empty())
            return std::unexpected(api::Problem{
                .status = 422,
                .code = "bad_name",
                .detail = "An upload has no name.",
                .errors = {{fmt::format("/uploads/{}", i), "Upload-Metadata had no filename; give a name"}}});
        uploads.push_back(std::move(*upload));
    }
    if (!unfinished.errors.empty()) return std::unexpected(std::move(unfinished));
    return uploads;
}

} // namespace

std::expected<std::vector<NamedUpload>, api::Problem> parse_named_uploads(std::string_view text,
                                                                          std::size_t max)
{
    boost::system::error_code error;
    const auto value = json::parse(text, error);
    if (error) return problem(400, "bad_json", "The body is not JSON.");
    const auto* object = value.if_object();
    const auto* list = object != nullptr ? object->if_contains("uploads") : nullptr;
    if (list == nullptr || !list->is_array() || list->as_array().empty() || object->size() != 1)
        return problem(400, "bad_body", "The body must be an object with the list uploads.");
    if (list->as_array().size() > max)
        return problem(413, "too_many_files", "The body names too many files for one upload.");
    std::vector<NamedUpload> named;
    for (const auto& element : list->as_array()) {
        auto entry = parse_entry(element);
        if (!entry)
            return std::unexpected(bad_entry(named.size(), "must be an id, or an object with id and name"));
        if (std::ranges::any_of(named, [&](const NamedUpload& other) { return other.id == entry->id; }))
            return std::unexpected(bad_entry(named.size(), "names an upload twice"));
        named.push_back(std::move(*entry));
    }
    return named;
}

std::string content_of(const std::vector<NamedUpload>& uploads)
{
    Sha256 hash;
    for (const auto& upload : uploads)
        hash.update(upload.id + std::string(1, '\0') + upload.name + std::string(1, '\0'));
    return hash.finish();
}

std::expected<NamedFiles, api::Problem> read_named_uploads(const std::vector<NamedUpload>& named,
                                                           Context& context)
{
    auto uploads = find_uploads(named, context);
    if (!uploads) return std::unexpected(uploads.error());
    std::uint64_t bytes = 0;
    for (const auto& upload : *uploads)
        bytes += upload.length;
    if (bytes > context.limits.max_upload_bytes)
        return problem(413, "upload_too_large",
                       fmt::format("The uploads have {} bytes together; {} are allowed.", bytes,
                                   context.limits.max_upload_bytes));
    if (auto full = check_room(bytes, context))
        return std::unexpected(std::move(*full)); // files of several pieces are written again
    NamedFiles files{.uploads = std::move(*uploads), .files = {}};
    for (const auto& upload : files.uploads) {
        auto file = context.services.uploads.read_file(upload);
        if (!file) return problem(file.error());
        files.files.push_back(std::move(*file));
    }
    return files;
}

} // namespace vitrine::server
