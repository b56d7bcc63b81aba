#include "server/uploads/tus.hpp"

#include <boost/json/serialize.hpp>

#include "api/resources.hpp"
#include "server/net/accept.hpp"
#include "server/net/async.hpp"
#include "server/routing/context.hpp"
#include "server/routing/idempotency.hpp"
#include "server/routing/problems.hpp"
#include "server/uploads/receive_parts.hpp"
#include "server/uploads/tus_fields.hpp"

namespace vitrine::server {
namespace {

constexpr std::string_view extensions =
    "creation,creation-with-upload,creation-defer-length,checksum,checksum-trailer,expiration,termination,"
    "concatenation";

// A problem as tus has it.
Response tus_problem(const Request& request, api::Problem problem)
{
    problem.request_id = request.id;
    auto response = to_response(problem);
    response.headers.set("Tus-Resumable", std::string(tus_version));
    if (problem.status == 412) response.headers.set("Tus-Version", std::string(tus_version));
    return response;
}

Response tus_response(int status, const OpenUpload& upload)
{
    Response response{.status = status};
    add_upload_fields(response, upload);
    return response;
}

using FoundUpload = std::expected<OpenUpload, api::Problem>;

FoundUpload to_found(Result<OpenUpload> upload)
{
    if (!upload) return problem(upload.error());
    return std::move(*upload);
}

// Stores the row of the upload, which takes the room that is reserved for it meanwhile.
FoundUpload open_upload(OpenUpload upload, const Request& request, Context& context)
{
    auto& uploads = context.services.uploads;
    upload.owner = account_of(request.principal);
    if (upload.is_final()) return to_found(uploads.join(std::move(upload)));
    if (auto full = check_room(upload.length, context)) return std::unexpected(std::move(*full));
    const auto room = context.services.quota.reserve(to_text(request.principal), upload.length);
    if (!room) return problem(room.error());
    return to_found(uploads.create(std::move(upload)));
}

// Declares the length of a deferred upload.
FoundUpload declare_length(const OpenUpload& upload, std::uint64_t length, const Request& request,
                           Context& context)
{
    if (!upload.is_deferred && upload.length == length) return upload;
    const auto more = length > upload.received ? length - upload.received : 0;
    if (auto full = check_room(more, context)) return std::unexpected(std::move(*full));
    const auto room = context.services.quota.reserve(to_text(request.principal), more);
    if (!room) return problem(room.error());
    return to_found(context.services.uploads.set_length(upload.id, length));
}

// Of an upload that a request creates.
struct CreatedUpload {
    OpenUpload upload;
    bool is_new = true; // otherwise an earlier request with this Idempotency-Key has created it
};

std::string field_of(const Request& request, std::string_view name)
{
    return std::string(request.headers.find(name).value_or(""));
}

// Done once per Idempotency-Key. An upload with the same description is the same one, whatever its bytes are.
std::expected<CreatedUpload, api::Problem> open_upload_once(const OpenUpload& described,
                                                            const Request& request, Context& context)
{
    const auto fields = field_of(request, "Upload-Length") + '\n' + field_of(request, "Upload-Defer-Length") +
                        '\n' + field_of(request, "Upload-Metadata") + '\n' +
                        field_of(request, "Upload-Concat");
    std::optional<OpenUpload> made;
    const auto response = run_once(request, fields, context, [&]() -> HandlerResult {
        auto opened = open_upload(described, request, context);
        if (!opened) return std::unexpected(opened.error());
        made = std::move(*opened);
        return text_response(201, "text/plain", made->id);
    });
    if (!response) return std::unexpected(response.error());
    if (made) return CreatedUpload{.upload = std::move(*made)};
    auto known = to_found(context.services.uploads.find(std::get<std::string>(response->body)));
    if (!known) return std::unexpected(known.error());
    return CreatedUpload{.upload = std::move(*known), .is_new = false};
}

asio::awaitable<FoundUpload> create_with_bytes(Request& request, BodySource& body, Context& context)
{
    if (auto rejection = check_tus_version(request)) co_return std::unexpected(std::move(*rejection));
    auto described = read_new_upload(request, context.limits.max_upload_bytes);
    if (!described) co_return std::unexpected(described.error());
    auto checksum = read_upload_checksum(request);
    if (!checksum) co_return std::unexpected(checksum.error());
    const auto has_bytes = has_upload_bytes(request);
    if (!has_bytes) co_return std::unexpected(has_bytes.error());
    auto made = co_await run_on_pool(context.catalog_pool,
                                     [&] { return open_upload_once(*described, request, context); });
    if (!made) co_return std::unexpected(made.error());
    auto& upload = made->upload;
    if (!*has_bytes || !made->is_new || upload.is_final()) co_return std::move(upload);
    auto received = co_await receive_parts(upload, std::move(*checksum), body, context);
    const bool is_told = !field_of(request, "Idempotency-Key").empty(); // when the request is repeated
    if (!received && !is_told)
        co_await run_on_pool(context.catalog_pool, [&] { return context.services.uploads.remove(upload); });
    co_return received;
}

// The upload {id} if the body can be appended at `offset`.
FoundUpload find_to_append(const Request& request, std::uint64_t offset, std::optional<std::uint64_t> length,
                           Context& context)
{
    auto upload = context.services.uploads.find(request.param("id"));
    if (!upload) return problem(upload.error());
    if (upload->is_final())
        return problem(403, "final_upload", "A final upload is finished and takes no bytes.");
    if (upload->received != offset)
        return problem(409, "offset_mismatch",
                       "The upload has " + std::to_string(upload->received) + " bytes so far.");
    auto known = length ? declare_length(*upload, *length, request, context) : std::move(*upload);
    if (!known) return known;
    const auto most = known->is_deferred ? context.limits.max_upload_bytes : known->length;
    if (request.content_length.value_or(0) > most - offset)
        return problem(413, "upload_too_large", "The upload has more bytes than its Upload-Length.");
    return known;
}

asio::awaitable<FoundUpload> append_bytes(Request& request, BodySource& body, Context& context)
{
    if (auto rejection = check_tus_version(request)) co_return std::unexpected(std::move(*rejection));
    if (media_type_of(request.headers.find("Content-Type").value_or("")) != offset_type)
        co_return problem(415, "unsupported_media_type",
                          "Send bytes of an upload as application/offset+octet-stream.");
    const auto offset = read_upload_offset(request);
    if (!offset) co_return std::unexpected(offset.error());
    auto checksum = read_upload_checksum(request);
    if (!checksum) co_return std::unexpected(checksum.error());
    const auto length = read_late_length(request, context.limits.max_upload_bytes);
    if (!length) co_return std::unexpected(length.error());
    auto upload = co_await run_on_pool(context.catalog_pool,
                                       [&] { return find_to_append(request, *offset, *length, context); });
    if (!upload) co_return upload;
    co_return co_await receive_parts(std::move(*upload), std::move(*checksum), body, context);
}

boost::json::object upload_state_json(const OpenUpload& upload)
{
    return {{"id", upload.id},
            {"name", upload.name},
            {"length", upload.is_deferred ? boost::json::value() : boost::json::value(upload.length)},
            {"offset", upload.received},
            {"finished", upload.is_finished()},
            {"expires", api::to_rfc3339(upload.expires)}};
}

} // namespace

HandlerResult get_upload_options(const Request&, Context& context)
{
    auto response = options_response({Method::post});
    response.headers.add("Tus-Resumable", std::string(tus_version));
    response.headers.add("Tus-Version", std::string(tus_version));
    response.headers.add("Tus-Extension", std::string(extensions));
    response.headers.add("Tus-Max-Size", std::to_string(context.limits.max_upload_bytes));
    response.headers.add("Tus-Checksum-Algorithm", "sha1,sha256");
    return response;
}

asio::awaitable<HandlerResult> create_upload(Request& request, BodySource& body, Context& context)
{
    auto upload = co_await create_with_bytes(request, body, context);
    if (!upload) co_return tus_problem(request, std::move(upload.error()));
    auto response = tus_response(201, *upload);
    response.headers.add("Location", "/v1/uploads/" + upload->id);
    co_return response;
}

HandlerResult get_upload(const Request& request, Context& context)
{
    if (request.method == Method::head)
        if (auto rejection = check_tus_version(request)) return tus_problem(request, std::move(*rejection));
    const auto upload = context.services.uploads.find(request.param("id"));
    if (!upload) return tus_problem(request, to_problem(upload.error()));
    auto response =
        text_response(200, "application/json", boost::json::serialize(upload_state_json(*upload)));
    add_upload_fields(response, *upload);
    return response;
}

asio::awaitable<HandlerResult> append_upload(Request& request, BodySource& body, Context& context)
{
    auto upload = co_await append_bytes(request, body, context);
    if (!upload) co_return tus_problem(request, std::move(upload.error()));
    co_return tus_response(204, *upload);
}

HandlerResult delete_upload(const Request& request, Context& context)
{
    if (auto rejection = check_tus_version(request)) return tus_problem(request, std::move(*rejection));
    auto& uploads = context.services.uploads;
    const auto upload = uploads.find(request.param("id"));
    if (!upload) return tus_problem(request, to_problem(upload.error()));
    uploads.remove(*upload);
    Response response{.status = 204};
    response.headers.add("Tus-Resumable", std::string(tus_version));
    return response;
}

} // namespace vitrine::server
