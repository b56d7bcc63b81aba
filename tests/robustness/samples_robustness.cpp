// The whole sample library, cut: the model's own file of each sample at every length up to 4 kB, then at
// lengths spread over the rest (a thousand in a soak), and at some lengths the files that it names. Loaded as
// the loader process does: a scene that validate() accepts, or one sentence.

#include <map>

#include <gtest/gtest.h>

#include "loaders/io/resource_name.hpp"
#include "loaders/scene/validate.hpp"
#include "loaders/worker/formats.hpp"
#include "server/samples/samples.hpp"
#include "tests/robustness/rounds.hpp"

using namespace vitrine;

namespace {

constexpr std::size_t every_length_up_to = 4096;

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

// A sample with one of its files cut, and without its pictures, which would be decoded every time.
class CutSource final : public Source {
public:
    explicit CutSource(const samples::SampleFile& sample) : main_name_(sample.main_name)
    {
        for (const auto& file : sample.files) {
            if (io::extension_of(file.name) == ".png") continue;
            files_[file.name] = file.bytes;
        }
        for (const auto& [name, bytes] : files_)
            names_.push_back(name);
    }

    void cut(const std::string& name, std::size_t length)
    {
        cut_name_ = name;
        cut_length_ = length;
    }
    std::size_t size_of(const std::string& name) const { return files_.at(name).size(); }

    const std::string& main_name() const override { return main_name_; }
    const std::vector<std::string>& names() const override { return names_; }
    bool is_whole() const override { return true; }
    std::optional<Bytes> open(std::string_view name) override
    {
        const auto found = files_.find(name);
        if (found == files_.end()) return std::nullopt;
        return name == cut_name_ ? found->second.first(cut_length_) : found->second;
    }

private:
    std::string main_name_;
    std::map<std::string, Bytes, std::less<>> files_;
    std::vector<std::string> names_;
    std::string cut_name_;
    std::size_t cut_length_ = 0;
};

void expect_sane(CutSource& source, const std::string& what)
{
    const auto bytes = source.open(source.main_name());
    const auto format = worker::find_format(worker::formats(), source.main_name(), *bytes);
    if (!format) {
        EXPECT_FALSE(format.error().detail.empty()) << what;
        return;
    }
    const auto loaded = (*format)->load(source, {});
    if (!loaded) {
        EXPECT_FALSE(loaded.error().detail.empty()) << what;
        EXPECT_FALSE(loaded.error().detail.contains('\n')) << what;
        return;
    }
    const auto valid = scene::validate(*loaded);
    EXPECT_TRUE(valid) << what << ": " << valid.error().where << " " << valid.error().detail;
}

class CutSample : public testing::TestWithParam<samples::Sample> {};

} // namespace

TEST_P(CutSample, IsLoadedOrRefused)
{
    const auto spread = static_cast<std::size_t>(std::min(test::rounds(50), 1000));
    for (const auto& sample : samples::write_formats(GetParam().name, GetParam().make())) {
        CutSource source(sample);
        for (const std::string& name : source.names()) {
            const bool main = name == sample.main_name;
            for (const auto length :
                 lengths_of(source.size_of(name), main ? every_length_up_to : 0, spread)) {
                source.cut(name, length);
                expect_sane(source, name + " cut at " + std::to_string(length));
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, CutSample, testing::ValuesIn(samples::all_samples()),
                         [](const auto& sample) { return sample.param.name; });
