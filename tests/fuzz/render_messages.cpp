// A message of a render process, whose kind the first byte selects: what is understood has the same bytes
// once it is encoded again.
#include "server/render_process/messages.hpp"

#include <array>

#include "tests/fuzz/fuzz.hpp"
#include "vk_renderer/mesh/lod.hpp"

namespace {

using namespace vitrine;
using namespace vitrine::render_process;

template <class Message>
void read(const std::string& bytes)
{
    if (const auto message = decode<Message>(bytes)) test::demand(encode(*message) == bytes);
}

constexpr std::array readers{read<Frames>,   read<PickReply>,         read<BoundsReply>, read<Ready>,
                             read<Failed>,   read<ExpectedTimeReply>, read<MemoryReply>, read<Done>,
                             read<Log>,      read<StartDevice>,       read<Submit>,      read<Render>,
                             read<PickCall>, read<Release>,           read<SceneBlob>};

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) return 0;
    const auto bytes = test::text_of(data + 1, size - 1);
    readers[data[0] % readers.size()](bytes);
    if (const auto lod = decode_lod(bytes)) test::demand(encode_lod(*lod) == bytes);
    return 0;
}
