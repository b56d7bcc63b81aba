// A request: what is recognized as simple says the same to the parser of all requests.

#include "server/net/request_scan.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>

#include "tests/fuzz/fuzz.hpp"

namespace {

namespace http = boost::beast::http;

std::string_view view(boost::beast::string_view text)
{
    return {text.data(), text.size()};
}

using Fields = std::vector<std::pair<std::string_view, std::string_view>>;

// Beast puts fields of one name beside each other.
Fields sorted(Fields fields)
{
    std::ranges::sort(fields);
    return fields;
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine;
    const auto bytes = test::text_of(data, size);
    server::ScannedRequest scanned;
    if (!server::scan_request(bytes, 1000, 8000, scanned)) return 0;
    http::request_parser<http::empty_body> parser;
    parser.header_limit(8000);
    parser.eager(true);
    boost::beast::error_code error;
    const auto used = parser.put(boost::asio::buffer(bytes), error);
    test::demand(!error && parser.is_done() && used == scanned.size_bytes);
    const auto& message = parser.get();
    test::demand(parser.keep_alive() == scanned.keep_alive && message.version() == 11 &&
                 view(message.target()) == scanned.target);
    test::demand(view(message.method_string()) == to_string(scanned.method));
    Fields scanned_fields, parsed_fields;
    for (const auto& [name, value] : scanned.fields())
        scanned_fields.emplace_back(name, value);
    for (const auto& field : message)
        parsed_fields.emplace_back(view(field.name_string()), view(field.value()));
    test::demand(sorted(scanned_fields) == sorted(parsed_fields));
    return 0;
}
