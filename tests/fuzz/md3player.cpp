// The texts beside an MD3 player: animation.cfg, then after a byte 1 the .skin of its legs. The parts are
// sound.

#include "loaders/md3/md3.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/unit/md3/samples.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine;
    static const std::string part = [] {
        test::Md3Model model;
        model.tags = {{{"tag_torso", {}}, {"tag_head", {}}}, {{"tag_torso", {}}, {"tag_head", {}}}};
        return model.write();
    }();
    const std::string text = test::text_of(data, size);
    const std::size_t end = std::min(text.find('\1'), text.size());
    test::MemorySource source("lower.md3",
                              {{"lower.md3", part},
                               {"upper.md3", part},
                               {"head.md3", part},
                               {"animation.cfg", text.substr(0, end)},
                               {"lower_default.skin", text.substr(std::min(end + 1, text.size()))}});
    source.make_whole();
    test::demand_valid(load_md3(source, test::fuzz_limits()));
    return 0;
}
