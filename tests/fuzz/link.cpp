// A frame of a link: what is understood is within its limits and has the same bytes once it is encoded again.
#include "server/link/link_frames.hpp"

#include "tests/fuzz/fuzz.hpp"

using namespace vitrine;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto bytes = test::text_of(data, size);
    const auto frame = server::decode_link_frame(bytes);
    if (!frame) {
        test::demand(!frame.error().empty());
        return 0;
    }
    test::demand(server::encode_link_frame(*frame) == bytes);
    if (const auto* piece = std::get_if<server::StreamData>(&*frame))
        test::demand(piece->bytes.size() <= server::max_chunk_bytes && piece->stream != 0);
    if (const auto* open = std::get_if<server::StreamOpen>(&*frame))
        test::demand(open->query.size() <= 8 * 1024 && open->asset.size() <= 256);
    return 0;
}
