// The texts beside an MD3 player, with a byte 1 between them: animation.cfg, the .skin of its legs, a shader
// script. The parts are sound.

#include "loaders/md3/md3.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/tga.hpp"
#include "tests/unit/md3/samples.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine;
    static const std::string part = [] {
        test::Md3Model model;
        model.tags = {{{"tag_torso", {}}, {"tag_head", {}}}, {{"tag_torso", {}}, {"tag_head", {}}}};
        return model.write();
    }();
    std::string rest = test::text_of(data, size);
    const auto take_text = [&] {
        const std::size_t end = std::min(rest.find('\1'), rest.size());
        std::string text = rest.substr(0, end);
        rest.erase(0, end + 1);
        return text;
    };
    const std::string config = take_text(), skin = take_text();
    test::MemorySource source("lower.md3", {{"lower.md3", part},
                                            {"upper.md3", part},
                                            {"head.md3", part},
                                            {"animation.cfg", config},
                                            {"lower_default.skin", skin},
                                            {"a.tga", test::pixel(9, 99)},
                                            {"scripts/a.shader", rest}});
    source.make_whole_upload();
    test::demand_valid(load_md3(source, test::fuzz_limits()));
    return 0;
}
