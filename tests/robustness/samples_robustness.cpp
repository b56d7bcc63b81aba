// The whole sample library, cut: the model's own file of each sample, and each animation by itself, at every
// length up to 256 bytes (4 kB in a soak), then at 120 lengths spread over the rest; the files beside it at
// 25 lengths (20 times as many in a soak).

#include <algorithm>

#include "tests/robustness/damaged_samples.hpp"
#include "tests/robustness/rounds.hpp"
#include "tests/support/sample_files.hpp"

using namespace vitrine;

namespace {

std::size_t every_length_up_to()
{
    return test::is_soak() ? 4096 : 256;
}

std::size_t lengths_in_rest(int usual)
{
    return static_cast<std::size_t>(std::min(test::rounds(usual), 1000));
}

// All up to `whole`, then `spread` over the rest.
std::vector<std::size_t> lengths_of(std::size_t size, std::size_t whole, std::size_t spread)
{
    std::vector<std::size_t> lengths;
    for (std::size_t length = 0; length < std::min(size, whole); ++length)
        lengths.push_back(length);
    const std::size_t begin = lengths.size(), rest = size - begin;
    spread = std::min(rest, spread);
    for (std::size_t i = 0; i < spread; ++i)
        lengths.push_back(begin + i * rest / spread);
    return lengths;
}

void cut(test::DamagedSource& source, const std::string& name, std::span<const std::size_t> lengths)
{
    for (const std::size_t length : lengths) {
        source.replace(name, source.whole(name).first(length));
        test::expect_sane(test::load(source, {}), name + " cut at " + std::to_string(length));
    }
}

class CutSample : public testing::TestWithParam<samples::Sample> {};

} // namespace

TEST_P(CutSample, IsLoadedOrRejected)
{
    for (const auto& sample : test::formats_of(GetParam()))
        for (const auto& file : sample.files) {
            const bool is_animation = file.name.ends_with(".md5anim");
            if (file.name != sample.main_name && !is_animation) continue;
            auto shown = sample;
            shown.main_name = file.name;
            if (is_animation) shown.files = {file}; // it would cost the mesh each time
            test::DamagedSource source(shown, false);
            cut(source, file.name, lengths_of(file.bytes.size(), every_length_up_to(), lengths_in_rest(120)));
        }
}

TEST_P(CutSample, IsLoadedWithTruncatedCompanionFiles)
{
    const std::size_t spread = lengths_in_rest(25);
    for (const auto& sample : test::formats_of(GetParam())) {
        test::DamagedSource source(sample, false);
        for (const std::string& name : source.names())
            if (name != sample.main_name) cut(source, name, lengths_of(source.whole(name).size(), 0, spread));
    }
}

TEST_P(CutSample, IsLoadedWithoutAllOfItsImages)
{
    const std::size_t spread = lengths_in_rest(3);
    for (const auto& sample : test::formats_of(GetParam())) {
        test::DamagedSource source(sample, true);
        for (const std::string& name : source.names())
            if (test::is_image_name(name))
                cut(source, name, lengths_of(source.whole(name).size(), 0, spread));
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, CutSample, testing::ValuesIn(samples::all_samples()),
                         [](const auto& sample) { return sample.param.name; });
