#include "server/net/request_scan.hpp"

#include <algorithm>

#include "loaders/base/ascii.hpp"
#include "server/net/authority.hpp"

namespace vitrine::server {
namespace {

constexpr std::string_view version = " HTTP/1.1\r\n";

// Of a field's name (RFC 9110, 5.6.2).
constexpr bool is_token(char c)
{
    const bool is_alphanumeric = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    return is_alphanumeric || std::string_view("!#$%&'*+-.^_`|~").contains(c);
}

constexpr std::array<bool, 256> make_table(bool (*is_member)(char))
{
    std::array<bool, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i)
        table[i] = is_member(static_cast<char>(i));
    return table;
}

constexpr auto token_table = make_table(is_token);
constexpr auto visible_table = make_table([](char c) { return c > 0x20 && c < 0x7f; });
constexpr auto value_table = make_table([](char c) { return (c >= 0x20 && c < 0x7f) || c == '\t'; });

// Removes the characters of the table from the beginning of `rest` and returns them.
std::string_view take(std::string_view& rest, const std::array<bool, 256>& table)
{
    std::size_t count = 0;
    while (count < rest.size() && table[static_cast<unsigned char>(rest[count])])
        ++count;
    const auto taken = rest.substr(0, count);
    rest.remove_prefix(count);
    return taken;
}

bool take(std::string_view& rest, std::string_view text)
{
    if (!rest.starts_with(text)) return false;
    rest.remove_prefix(text.size());
    return true;
}

bool is_close(const ScannedRequest::Field& field)
{
    return field.name.size() == 10 && ascii::equal_ignoring_case(field.name, "Connection") &&
           ascii::equal_ignoring_case(field.value, "close");
}

// Fields that make a request more than a simple one.
bool is_simple(const ScannedRequest::Field& field)
{
    const auto is = [&](std::string_view name) { return ascii::equal_ignoring_case(field.name, name); };
    switch (field.name.size()) {
    case 6: return !is("Expect");
    case 7: return !is("Upgrade");
    case 10:
        return !is("Connection") || is_close(field) || ascii::equal_ignoring_case(field.value, "keep-alive");
    case 14: return !is("Content-Length");
    case 16: return !is("Proxy-Connection");
    case 17: return !is("Transfer-Encoding");
    default: return true;
    }
}

bool take_field(std::string_view& rest, ScannedRequest& request)
{
    if (request.field_count == ScannedRequest::max_fields) return false;
    auto& field = request.all_fields[request.field_count++];
    field.name = take(rest, token_table);
    if (field.name.empty() || !take(rest, ":")) return false;
    field.value = without_blanks(take(rest, value_table));
    request.keep_alive = request.keep_alive && !is_close(field);
    return take(rest, "\r\n") && is_simple(field);
}

} // namespace

bool scan_request(std::string_view bytes, std::size_t max_target, std::size_t max_header,
                  ScannedRequest& request)
{
    auto rest = bytes.substr(0, max_header);
    const auto scanned_size = rest.size();
    request.field_count = 0;
    request.keep_alive = true;
    request.method = rest.starts_with('H') ? Method::head : Method::get;
    if (!take(rest, request.method == Method::head ? "HEAD " : "GET ")) return false;
    request.target = take(rest, visible_table);
    if (!request.target.starts_with('/') || request.target.size() > max_target) return false;
    if (!take(rest, version)) return false;
    while (!rest.starts_with('\r'))
        if (!take_field(rest, request)) return false;
    if (!take(rest, "\r\n")) return false;
    request.size_bytes = scanned_size - rest.size();
    const auto is_host = [](const auto& field) { return ascii::equal_ignoring_case(field.name, "Host"); };
    const auto host = std::ranges::find_if(request.fields(), is_host);
    const auto fields = request.fields();
    if (host == fields.end() || !is_authority(host->value)) return false;
    return std::none_of(std::next(host), fields.end(), is_host);
}

} // namespace vitrine::server
