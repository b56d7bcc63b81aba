// Fields of a request, "Name: value" a line: the guard, content negotiation and entity tags read them; what
// goes out again cannot split an answer.

#include "server/net/accept.hpp"
#include "server/net/byte_range.hpp"
#include "server/net/multipart.hpp"
#include "server/net/request_guard.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine;
    const auto text = test::text_of(data, size);
    server::Request request;
    server::Response response;
    std::size_t fields = 0;
    for (std::string_view rest = text; !rest.empty() && fields < 64; ++fields) {
        const auto end = std::min(rest.find('\n'), rest.size());
        const auto line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const auto colon = std::min(line.find(':'), line.size());
        const std::string name(line.substr(0, colon));
        const std::string value(server::without_blanks(line.substr(std::min(colon + 1, line.size()))));
        request.headers.add(name, value);
        response.headers.add("X-Echo", value);
        const double quality = server::accept_quality(value, "image/webp");
        test::demand(quality >= 0.0 && quality <= 1.0);
        server::matches_etag(value, "\"tag\"");
        server::multipart_boundary(value);
    }
    const server::Guard open({.loopback = true, .token = ""});
    const server::Guard closed({.loopback = false, .token = "secret", .hosts = {"a.example"}});
    open.check(request, *open.identify(request), server::Access::write, true);
    const auto rejected = closed.check(request, *closed.identify(request), server::Access::write, true);
    const auto token = server::request_token(request);
    test::demand(rejected || (token && *token == "secret"));
    const auto head = server::serialize_head(response, true);
    std::size_t lines = 0;
    for (std::size_t at = head.find('\n'); at != head.npos; at = head.find('\n', at + 1))
        ++lines;
    test::demand(lines <= fields + 5 && head.find("\r\n\r\n") == head.size() - 4);
    return 0;
}
