// A multipart/form-data body: the first byte says how it is cut into the pieces that a network brings.
// However it is cut, the parser must return the same parts with the same bytes.

#include "server/net/multipart.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using vitrine::server::MultipartEvent;
using vitrine::server::MultipartParser;

// The parsed parts, adjacent data merged.
std::string parts_of(std::string_view body, std::size_t piece_size)
{
    MultipartParser parser("B");
    std::string text;
    for (std::size_t at = 0; at < body.size(); at += piece_size) {
        parser.feed(body.substr(at, piece_size));
        for (;;) {
            const auto event = parser.next();
            if (event == MultipartEvent::need_input) break;
            if (event == MultipartEvent::part_begin)
                text += "[" + parser.part().name + "|" + parser.part().filename.value_or("-") + "|" +
                        parser.part().content_type + "]";
            if (event == MultipartEvent::part_data) text += parser.data();
            if (event == MultipartEvent::part_end) text += "]";
            if (event == MultipartEvent::finished) return text + ".";
            if (event != MultipartEvent::failed) continue;
            vitrine::test::demand(!parser.error().empty());
            return text + "!" + parser.error();
        }
    }
    return text;
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) return 0;
    const auto text = vitrine::test::text_of(data, size);
    const std::string_view body = std::string_view(text).substr(1);
    const auto whole = parts_of(body, body.size() + 1);
    vitrine::test::demand(parts_of(body, 1) == whole);
    vitrine::test::demand(parts_of(body, 1 + data[0] % 64) == whole);
    if (const auto boundary = vitrine::server::multipart_boundary(body))
        vitrine::test::demand(!boundary->empty() && boundary->size() <= 70);
    return 0;
}
