#include "loaders/md2/frame_names.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "loaders/base/parse_whole.hpp"

namespace vitrine::md2 {
namespace {

constexpr std::size_t max_digits = 9; // fits 32 bits

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

struct Name {
    std::string_view stem;
    std::string_view tail; // after the number: some exporters pad the field with dots
    std::optional<std::uint32_t> number;
};

Name split(std::string_view text)
{
    const std::size_t padding = text.find_last_not_of("._ ");
    std::size_t end = padding == text.npos ? 0 : padding + 1;
    if (end == 0 || !is_digit(text[end - 1])) return {text, {}, std::nullopt};
    std::size_t begin = end;
    while (begin > 0 && is_digit(text[begin - 1]) && end - begin < max_digits)
        --begin;
    return {text.substr(0, begin), text.substr(end),
            parse_whole<std::uint32_t>(text.substr(begin, end - begin))};
}

// A range of frames under construction.
struct Growing {
    NamedFrameRange run;
    Name first;
    std::uint32_t last = 0;
    std::int64_t step = 1;
    std::uint32_t base = 0; // unit of the leading digit that belongs to the clip's name: 10, 100, 1000

    // Returns whether the range has a common leading digit that differs from that of `number`.
    bool starts_new_sequence(std::uint32_t number, std::uint32_t unit) const
    {
        const std::uint32_t leading = *first.number / unit;
        return run.count > 1 && leading >= 1 && leading <= 9 && leading == last / unit &&
               number / unit != leading && number % unit <= 1;
    }

    bool takes(const Name& name)
    {
        if (name.stem != first.stem || name.number.has_value() != first.number.has_value()) return false;
        if (!name.number) return true;
        const std::int64_t difference = std::int64_t{*name.number} - last;
        if (difference == step) return true;
        for (const std::uint32_t unit : {10u, 100u, 1000u}) {
            if (!starts_new_sequence(*name.number, unit)) continue;
            base = unit;
            return false;
        }
        if (*name.number <= 1) return false; // numbering restarts
        step = difference;
        return true;
    }
};

// Appends the leading digit where it distinguishes adjacent ranges. A single frame padded with dots keeps its
// name, because its digits may not be a number.
std::string name_of(const Growing& growing)
{
    const Name& first = growing.first;
    if (growing.run.count == 1 && !first.tail.empty()) return growing.run.name;
    const std::size_t end = first.stem.find_last_not_of(' ');
    std::string name(first.stem.substr(0, end == first.stem.npos ? 0 : end + 1));
    if (growing.base != 0) name += std::to_string(*first.number / growing.base);
    return name;
}

} // namespace

std::vector<NamedFrameRange> find_named_ranges(std::span<const std::string_view> names)
{
    std::vector<NamedFrameRange> frame_ranges;
    std::optional<Growing> growing;
    const auto finish = [&] {
        growing->run.name = name_of(*growing);
        frame_ranges.push_back(std::move(growing->run));
    };
    for (std::uint32_t f = 0; f < names.size(); ++f) {
        const Name name = split(names[f]);
        if (growing && growing->takes(name)) {
            ++growing->run.count;
        } else {
            const bool follows =
                growing && growing->base != 0 && growing->first.stem == name.stem && name.number;
            const std::uint32_t base = follows ? growing->base : 0;
            if (growing) finish();
            growing = Growing{{std::string(names[f]), f, 1}, name, 0, 1, base};
        }
        growing->last = name.number.value_or(0);
    }
    if (growing) finish();
    return frame_ranges;
}

void make_names_unique(std::vector<NamedFrameRange>& frame_ranges)
{
    std::set<std::string> taken;
    for (NamedFrameRange& run : frame_ranges) {
        if (run.name.empty()) run.name = "frames";
        taken.insert(run.name); // original frame names take precedence over generated ones
    }
    std::map<std::string, unsigned> used;
    for (NamedFrameRange& run : frame_ranges) {
        unsigned& number = used[run.name];
        if (++number == 1) continue;
        std::string name;
        do
            name = run.name + ' ' + std::to_string(number++);
        while (!taken.insert(name).second);
        --number;
        run.name = std::move(name);
    }
}

} // namespace vitrine::md2
