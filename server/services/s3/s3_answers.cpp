#include "server/services/s3/s3_answers.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "loaders/base/parse_whole.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_error_text = 300; // bytes of a message of the store that are kept

// Calls `read` with the root element if `xml` is a document whose root has this name.
template <class Read>
auto read_root(std::string_view xml, const char* name, Read read) -> decltype(read(pugi::xml_node()))
{
    pugi::xml_document document;
    if (!document.load_buffer(xml.data(), xml.size())) return std::nullopt;
    const auto root = document.child(name);
    if (!root) return std::nullopt;
    return read(root);
}

// Reads exactly `digits` digits at `at`, which lie in the text; -1 if there are other characters.
int number_at(std::string_view text, std::size_t at, std::size_t digits)
{
    return parse_whole<int>(text.substr(at, digits)).value_or(-1);
}

// Returns the seconds of a date and of the text hh:mm:ss.
std::optional<std::int64_t> to_seconds(int year, int month, int day, std::string_view clock)
{
    const std::int64_t hour = number_at(clock, 0, 2), minute = number_at(clock, 3, 2),
                       second = number_at(clock, 6, 2);
    const std::chrono::year_month_day date{std::chrono::year{year},
                                           std::chrono::month{static_cast<unsigned>(month)},
                                           std::chrono::day{static_cast<unsigned>(day)}};
    if (year < 1970 || month < 1 || day < 1 || !date.ok()) return std::nullopt;
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return std::nullopt;
    const auto days = std::chrono::sys_days(date).time_since_epoch().count();
    return std::int64_t{days} * 86'400 + hour * 3600 + minute * 60 + second;
}

std::optional<S3Object> read_object(pugi::xml_node node)
{
    S3Object object{.key = node.child_value("Key")};
    const auto size_bytes = parse_whole<std::uint64_t>(node.child_value("Size"));
    const auto modified = parse_iso_time(node.child_value("LastModified"));
    if (object.key.empty() || !size_bytes || !modified) return std::nullopt;
    object.size_bytes = *size_bytes;
    object.modified_s = *modified;
    return object;
}

} // namespace

std::optional<S3Listing> parse_listing(std::string_view xml)
{
    return read_root(xml, "ListBucketResult", [](pugi::xml_node root) -> std::optional<S3Listing> {
        S3Listing listing;
        for (const auto& node : root.children("Contents")) {
            auto object = read_object(node);
            if (!object) return std::nullopt;
            listing.objects.push_back(std::move(*object));
        }
        if (std::string_view(root.child_value("IsTruncated")) == "true") {
            listing.continuation = root.child_value("NextContinuationToken");
            if (listing.continuation.empty()) return std::nullopt;
        }
        return listing;
    });
}

std::optional<std::vector<S3PendingUpload>> parse_pending_uploads(std::string_view xml)
{
    using Uploads = std::vector<S3PendingUpload>;
    return read_root(xml, "ListMultipartUploadsResult", [](pugi::xml_node root) -> std::optional<Uploads> {
        Uploads uploads;
        for (const auto& node : root.children("Upload")) {
            const auto initiated = parse_iso_time(node.child_value("Initiated"));
            S3PendingUpload upload{node.child_value("Key"), node.child_value("UploadId")};
            if (upload.key.empty() || upload.id.empty() || !initiated) return std::nullopt;
            upload.initiated_s = *initiated;
            uploads.push_back(std::move(upload));
        }
        return uploads;
    });
}

std::optional<std::string> parse_upload_id(std::string_view xml)
{
    return read_root(xml, "InitiateMultipartUploadResult",
                     [](pugi::xml_node root) -> std::optional<std::string> {
                         std::string id = root.child_value("UploadId");
                         return id.empty() ? std::nullopt : std::optional(std::move(id));
                     });
}

std::optional<S3ErrorAnswer> parse_s3_error(std::string_view xml)
{
    return read_root(xml, "Error", [](pugi::xml_node root) -> std::optional<S3ErrorAnswer> {
        S3ErrorAnswer answer{root.child_value("Code"), root.child_value("Message")};
        answer.code.resize(std::min(answer.code.size(), max_error_text));
        answer.message.resize(std::min(answer.message.size(), max_error_text));
        return answer;
    });
}

long status_of_body(std::string_view xml)
{
    const auto error = parse_s3_error(xml);
    if (!error) return 200;
    if (error->code == "NoSuchUpload") return 404;
    const bool is_final = error->code.starts_with("Invalid") || error->code.starts_with("EntityToo") ||
                          error->code == "AccessDenied";
    return is_final ? 400 : 500;
}

std::string completion_xml(const std::vector<std::string>& etags)
{
    pugi::xml_document document;
    auto root = document.append_child("CompleteMultipartUpload");
    unsigned long long number = 0;
    for (const auto& etag : etags) {
        auto part = root.append_child("Part");
        part.append_child("PartNumber").text().set(++number);
        part.append_child("ETag").text().set(etag.c_str());
    }
    struct Text final : pugi::xml_writer {
        std::string text;
        void write(const void* data, std::size_t size) override
        {
            text.append(static_cast<const char*>(data), size);
        }
    } out;
    document.save(out, "", pugi::format_raw | pugi::format_no_declaration);
    return std::move(out.text);
}

std::optional<std::int64_t> parse_iso_time(std::string_view text)
{
    if (text.size() < 20 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text.back() != 'Z')
        return std::nullopt;
    return to_seconds(number_at(text, 0, 4), number_at(text, 5, 2), number_at(text, 8, 2),
                      text.substr(11, 8));
}

std::optional<std::int64_t> parse_http_date(std::string_view text)
{
    static constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                             "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    if (text.size() != 29 || text.substr(25) != " GMT") return std::nullopt;
    const auto month = std::ranges::find(months, text.substr(8, 3));
    if (month == months.end()) return std::nullopt;
    return to_seconds(number_at(text, 12, 4), static_cast<int>(month - months.begin()) + 1,
                      number_at(text, 5, 2), text.substr(17, 8));
}

} // namespace vitrine::server
