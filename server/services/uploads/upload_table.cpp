#include "server/services/uploads/upload_table.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr std::string_view lock_name = "vitrine.uploads";
constexpr long long max_expired = 100; // of one transaction

std::unexpected<ServiceError> no_upload(const std::string& id)
{
    auto error =
        make_error(Errc::not_found, "no_upload", "there is no upload with this id, or it has expired");
    error.error().where = id;
    return error;
}

std::uint64_t unsigned_of(long long number)
{
    return static_cast<std::uint64_t>(number);
}

// `lock`: the end of a SELECT that locks the row.
std::optional<OpenUpload> find_upload(DatabaseConnection& sql, const std::string& id,
                                      std::string_view lock = {})
{
    OpenUpload upload{.id = id};
    std::string partials;
    long long length = 0, received = 0, expires = 0, deferred = 0;
    const auto text =
        fmt::format("SELECT name, metadata, concat, partials, length, received, expires, deferred, owner "
                    "FROM open_uploads WHERE id = :id AND expires > now_micros() {}",
                    lock);
    sql << text, into(upload.name), into(upload.metadata), into(upload.concat), into(partials), into(length),
        into(received), into(expires), into(deferred), into(upload.owner), use(id);
    if (!sql.got_data()) return std::nullopt;
    std::istringstream words(partials);
    for (std::string partial; words >> partial;)
        upload.partials.push_back(partial);
    upload.length = unsigned_of(length);
    upload.received = unsigned_of(received);
    upload.expires = expires;
    upload.is_deferred = deferred != 0;
    return upload;
}

Result<OpenUpload> find_again(DatabaseConnection& sql, const std::string& id)
{
    auto upload = find_upload(sql, id);
    if (!upload) return no_upload(id);
    return std::move(*upload);
}

// For `uploads` more uploads and `length` more bytes. Holds until the end of the transaction. Errors:
// no_room.
Result<void> require_room(DatabaseConnection& sql, const UploadLimits& limits, std::uint64_t length,
                          std::uint64_t uploads = 1)
{
    sql.dialect.lock_briefly(sql, std::string(lock_name));
    long long count = 0, bytes = 0;
    sql << "SELECT COUNT(*), CAST(COALESCE(SUM(length), 0) AS BIGINT) FROM open_uploads "
           "WHERE expires > now_micros()",
        into(count), into(bytes);
    const auto used = unsigned_of(bytes);
    const bool has_uploads = uploads == 0 || unsigned_of(count) + uploads <= limits.max_uploads;
    if (has_uploads && used <= limits.max_bytes && length <= limits.max_bytes - used) return {};
    return make_error(
        Errc::no_room, "uploads_full",
        "Too many uploads are unfinished, or have too many bytes together; finish or delete some.");
}

void insert_upload(DatabaseConnection& sql, const OpenUpload& upload, const UploadLimits& limits)
{
    const auto partials = fmt::format("{}", fmt::join(upload.partials, " "));
    const auto length = static_cast<long long>(upload.length);
    const auto received = static_cast<long long>(upload.received);
    const long long lifetime = std::chrono::microseconds(limits.lifetime).count();
    const long long deferred = upload.is_deferred ? 1 : 0;
    sql << "INSERT INTO open_uploads (id, name, metadata, concat, partials, length, received, expires, "
           "deferred, owner) VALUES (:id, :name, :metadata, :concat, :partials, :length, :received, "
           "now_micros() + :lifetime, :deferred, :owner)",
        use(upload.id), use(upload.name), use(upload.metadata), use(upload.concat), use(partials),
        use(length), use(received), use(lifetime), use(deferred), use(upload.owner);
}

std::vector<std::string> take_blobs(DatabaseConnection& sql, const std::string& id)
{
    std::vector<std::string> blobs;
    {
        std::string blob;
        PreparedStatement rows =
            (sql.prepare << "SELECT DISTINCT blob FROM upload_parts WHERE upload = :id", into(blob), use(id));
        rows.execute();
        while (rows.fetch())
            blobs.push_back(blob);
    }
    sql << "DELETE FROM upload_parts WHERE upload = :id", use(id);
    return blobs;
}

// Copies the parts of a finished partial upload behind those of `whole`, of which `parts_left` may be more.
Result<void> join_partial(DatabaseConnection& sql, OpenUpload& whole, const std::string& partial,
                          std::size_t& parts_left)
{
    const auto found = find_upload(sql, partial, sql.dialect.words().lock_row);
    if (!found) return no_upload(partial);
    if (!found->is_partial())
        return std::unexpected(
            ServiceError{Errc::invalid, "bad_upload", partial, "this upload is not a partial one"});
    if (!found->is_finished())
        return std::unexpected(
            ServiceError{Errc::conflict, "upload_unfinished", partial, "this upload is not finished"});
    long long parts = 0;
    sql << "SELECT COUNT(*) FROM upload_parts WHERE upload = :partial", into(parts), use(partial);
    if (unsigned_of(parts) > parts_left)
        return std::unexpected(ServiceError{Errc::too_large, "limit_exceeded", partial,
                                            "the upload would have too many pieces with this one"});
    parts_left -= unsigned_of(parts);
    const auto shift = static_cast<long long>(whole.length);
    sql << "INSERT INTO upload_parts (upload, start, length, blob) SELECT :whole, start + :shift, length, "
           "blob "
           "FROM upload_parts WHERE upload = :partial",
        use(whole.id), use(shift), use(partial);
    whole.length += found->length;
    return {};
}

} // namespace

UploadTable::UploadTable(DatabaseConnections& database, const UploadLimits& limits)
    : database_(database), limits_(limits)
{
}

Result<OpenUpload> UploadTable::create(const OpenUpload& upload)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<OpenUpload> {
        if (auto room = require_room(sql, limits_, upload.length); !room)
            return std::unexpected(room.error());
        insert_upload(sql, upload, limits_);
        return find_again(sql, upload.id);
    });
}

Result<OpenUpload> UploadTable::join(const OpenUpload& upload)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<OpenUpload> {
        OpenUpload whole(upload);
        whole.length = 0;
        auto parts_left = limits_.max_parts;
        for (const auto& partial : upload.partials)
            if (auto joined = join_partial(sql, whole, partial, parts_left); !joined)
                return std::unexpected(joined.error());
        if (auto room = require_room(sql, limits_, whole.length); !room) return std::unexpected(room.error());
        whole.received = whole.length;
        insert_upload(sql, whole, limits_);
        return find_again(sql, whole.id);
    });
}

Result<OpenUpload> UploadTable::find(const std::string& id) const
{
    return database_.read([&](DatabaseConnection& sql) { return find_again(sql, id); });
}

Result<OpenUpload> UploadTable::set_length(const std::string& id, std::uint64_t length)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<OpenUpload> {
        const auto upload = find_upload(sql, id, sql.dialect.words().lock_row);
        if (!upload) return no_upload(id);
        if (!upload->is_deferred || length < upload->received)
            return make_error(
                Errc::conflict, "length_known",
                fmt::format("the upload has {} bytes so far, of {}", upload->received,
                            upload->is_deferred ? "any number" : std::to_string(upload->length)));
        if (auto room = require_room(sql, limits_, length - upload->received, 0); !room)
            return std::unexpected(room.error());
        const auto bytes = static_cast<long long>(length);
        sql << "UPDATE open_uploads SET length = :length, deferred = 0 WHERE id = :id", use(bytes), use(id);
        return find_again(sql, id);
    });
}

std::vector<UploadedPart> UploadTable::parts(const std::string& id) const
{
    return database_.read([&](DatabaseConnection& sql) {
        std::vector<UploadedPart> parts;
        long long start = 0, length = 0;
        std::string blob;
        PreparedStatement rows =
            (sql.prepare << "SELECT start, length, blob FROM upload_parts WHERE upload = :id ORDER BY start",
             into(start), into(length), into(blob), use(id));
        rows.execute();
        while (rows.fetch())
            parts.push_back({unsigned_of(start), unsigned_of(length), blob});
        return parts;
    });
}

Result<OpenUpload> UploadTable::append(const std::string& id, const UploadedPart& part)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<OpenUpload> {
        const auto start = static_cast<long long>(part.start), length = static_cast<long long>(part.length);
        const auto max_parts = static_cast<long long>(limits_.max_parts);
        const long long lifetime = std::chrono::microseconds(limits_.lifetime).count();
        if (const auto before = find_upload(sql, id); before && before->is_deferred)
            if (auto room = require_room(sql, limits_, part.length, 0); !room)
                return std::unexpected(room.error());
        std::string changed;
        sql << "UPDATE open_uploads SET received = received + :length, parts = parts + 1, "
               "length = CASE WHEN deferred = 1 THEN received + :same ELSE length END, "
               "expires = now_micros() + :lifetime WHERE id = :id AND received = :start AND parts < :most "
               "AND expires > now_micros() RETURNING id",
            into(changed), use(length), use(length), use(lifetime), use(id), use(start), use(max_parts);
        const bool is_changed = sql.got_data();
        auto upload = find_upload(sql, id);
        if (!upload) return no_upload(id);
        if (!is_changed && upload->received == part.start)
            return make_error(Errc::too_large, "limit_exceeded",
                              fmt::format("an upload must have at most {} pieces", limits_.max_parts));
        if (!is_changed)
            return make_error(Errc::conflict, "offset_mismatch",
                              fmt::format("the upload has {} bytes so far", upload->received));
        sql << "INSERT INTO upload_parts (upload, start, length, blob) VALUES (:id, :start, :length, :blob)",
            use(id), use(start), use(length), use(part.blob);
        return std::move(*upload);
    });
}

std::optional<std::vector<std::string>> UploadTable::remove(const std::string& id)
{
    return database_.write([&](DatabaseConnection& sql) -> std::optional<std::vector<std::string>> {
        std::string removed;
        sql << "DELETE FROM open_uploads WHERE id = :id AND expires > now_micros() RETURNING id",
            into(removed), use(id);
        if (!sql.got_data()) return std::nullopt;
        return take_blobs(sql, id);
    });
}

std::vector<std::string> UploadTable::remove_expired()
{
    return database_.write([](DatabaseConnection& sql) {
        std::vector<std::string> ids, blobs;
        {
            std::string id;
            PreparedStatement rows =
                (sql.prepare << "SELECT id FROM open_uploads WHERE expires <= now_micros() "
                                "ORDER BY expires LIMIT :most",
                 into(id), use(max_expired));
            rows.execute();
            while (rows.fetch())
                ids.push_back(id);
        }
        for (const auto& id : ids) {
            std::string removed;
            sql << "DELETE FROM open_uploads WHERE id = :id AND expires <= now_micros() RETURNING id",
                into(removed), use(id);
            if (!sql.got_data()) continue;
            for (auto& blob : take_blobs(sql, id))
                blobs.push_back(std::move(blob));
        }
        return blobs;
    });
}

} // namespace vitrine::server
