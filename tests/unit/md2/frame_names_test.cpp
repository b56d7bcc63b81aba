#include "loaders/md2/frame_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using vitrine::md2::find_named_ranges;

namespace {

// "name*count name*count ..." of frames named "prefix:from-to,from-to ...".
std::string runs_of(const std::vector<std::string>& names)
{
    const std::vector<std::string_view> views(names.begin(), names.end());
    std::string out;
    std::uint32_t next = 0;
    for (const auto& run : find_named_ranges(views)) {
        EXPECT_EQ(run.first, next);
        next += run.count;
        out += (out.empty() ? "" : " ") + run.name + "*" + std::to_string(run.count);
    }
    EXPECT_EQ(next, names.size());
    return out;
}

std::vector<std::string> numbered(const std::string& stem, int from, int to, std::size_t width = 1)
{
    std::vector<std::string> names;
    for (int i = from; i <= to; ++i) {
        std::string digits = std::to_string(i);
        digits.insert(0, width - std::min(width, digits.size()), '0');
        names.push_back(stem + digits);
    }
    return names;
}

std::vector<std::string> joined(std::initializer_list<std::vector<std::string>> parts)
{
    std::vector<std::string> all;
    for (const auto& part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

} // namespace

TEST(Md2FrameNames, NumberedNeighborsAreAClip)
{
    EXPECT_EQ(runs_of(joined({numbered("stand", 1, 40, 2), numbered("run", 1, 6)})), "stand*40 run*6");
    EXPECT_EQ(runs_of(joined({numbered("stand_", 1, 12), numbered("run_", 0, 5)})), "stand_*12 run_*6");
    EXPECT_EQ(runs_of(numbered("Frame", 0, 250, 3)), "Frame*251");
    EXPECT_EQ(runs_of(numbered("frame", 1, 250)), "frame*250");
    EXPECT_EQ(runs_of({"Frame000"}), "Frame*1");
    EXPECT_EQ(runs_of({}), "");
}

TEST(Md2FrameNames, NamesOfClipsMayEndInDigits)
{
    EXPECT_EQ(runs_of(joined({numbered("pain", 101, 104), numbered("pain", 201, 204),
                              numbered("pain", 301, 304), numbered("jump", 1, 6)})),
              "pain1*4 pain2*4 pain3*4 jump*6");
    EXPECT_EQ(runs_of(joined({numbered("death", 101, 106), numbered("death", 201, 206)})),
              "death1*6 death2*6");
    EXPECT_EQ(runs_of(joined({numbered("pain", 11, 14), numbered("pain", 21, 24)})), "pain1*4 pain2*4");
    // A model of old tutorials numbers continuously: 9, 10, 11.
    EXPECT_EQ(runs_of(numbered("pain", 1, 12)), "pain*12");
    EXPECT_EQ(runs_of(joined({numbered("pain1_", 1, 4), numbered("pain2_", 1, 4)})), "pain1_*4 pain2_*4");
}

TEST(Md2FrameNames, MissingFramesDoNotSplitAClip)
{
    EXPECT_EQ(runs_of({"walk1", "walk3", "walk5", "walk7"}), "walk*4");
    EXPECT_EQ(runs_of({"walk8", "walk9", "walk11", "walk12"}), "walk*4");
    EXPECT_EQ(runs_of({"f10", "f20", "f30", "f40"}), "f*4");
    EXPECT_EQ(runs_of({"walk4", "walk3", "walk2", "walk1"}), "walk*4");
}

TEST(Md2FrameNames, CountingFromTheStartAgainIsAnotherClip)
{
    EXPECT_EQ(runs_of(joined({numbered("stand", 1, 3), numbered("stand", 1, 2)})), "stand*3 stand*2");
}

TEST(Md2FrameNames, WithoutNumbers)
{
    EXPECT_EQ(runs_of({"idle", "idle", "idle"}), "idle*3");
    EXPECT_EQ(runs_of({"idle", "walk", "walk1"}), "idle*1 walk*1 walk*1");
    EXPECT_EQ(runs_of({"", "", ""}), "*3");
    EXPECT_EQ(runs_of({"1", "2", "3"}), "*3");
    EXPECT_EQ(runs_of({"a99999999999", "a99999999999"}), "a99*2");
}

TEST(Md2FrameNames, FilledUpWithDots)
{
    EXPECT_EQ(runs_of({"FRAME 000......"}), "FRAME 000......*1");
    EXPECT_EQ(runs_of({"FRAME 000......", "FRAME 001......", "FRAME 002......"}), "FRAME*3");
    EXPECT_EQ(runs_of({"......"}), "......*1");
}

// Each can be selected by its name.
TEST(Md2FrameNames, ClipsHaveNamesOfTheirOwn)
{
    const auto named = [](std::vector<std::string> names) {
        std::vector<vitrine::md2::NamedFrameRange> frame_ranges;
        for (auto& name : names)
            frame_ranges.push_back({std::move(name), 0, 1});
        make_names_unique(frame_ranges);
        std::string all;
        for (const auto& run : frame_ranges)
            all += (all.empty() ? "" : "|") + run.name;
        return all;
    };
    EXPECT_EQ(named({"stand", "run", "pain1", "pain2"}), "stand|run|pain1|pain2");
    EXPECT_EQ(named({"pain", "jump", "pain", "pain"}), "pain|jump|pain 2|pain 3");
    EXPECT_EQ(named({"pain", "pain", "pain 2", "pain 2", "pain"}), "pain|pain 3|pain 2|pain 2 2|pain 4");
    EXPECT_EQ(named({"", "", "frames"}), "frames|frames 2|frames 3");
}
