#include "loaders/obj/mtl_map.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/io/text/number_scanner.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/obj/mtl_words.hpp"
#include "loaders/obj/scan.hpp"

namespace vitrine::obj {
namespace {

// Returns the text from the next word that looks like an option; all of it when there is none.
std::string_view next_option(std::string_view rest)
{
    const std::size_t at = rest.find(" -");
    const bool letter = at + 2 < rest.size() && at != rest.npos && rest[at + 2] >= 'a' && rest[at + 2] <= 'z';
    return letter && !rest.starts_with('-') ? rest.substr(at + 1) : rest;
}

// Options and the minimum and maximum number of their words; words beyond the minimum must be numbers.
struct Option {
    std::string_view name;
    int min_arguments;
    int max_arguments;
    std::string_view neutral{}; // of unsupported options: the joined words that have no effect
};
constexpr std::string_view no_neutral_value = "shown";
constexpr std::array options = {Option{"-o", 1, 3, no_neutral_value},
                                Option{"-s", 1, 3, no_neutral_value},
                                Option{"-t", 1, 3, "0 0 0"},
                                Option{"-mm", 2, 2, "0 1"},
                                Option{"-bm", 1, 1, no_neutral_value},
                                Option{"-blendu", 1, 1, "on"},
                                Option{"-blendv", 1, 1, "on"},
                                Option{"-clamp", 1, 1, no_neutral_value},
                                Option{"-cc", 1, 1, "off"},
                                Option{"-imfchan", 1, 1},
                                Option{"-boost", 1, 1, "0"},
                                Option{"-texres", 1, 2},
                                Option{"-type", 1, 1, no_neutral_value},
                                Option{"-colorspace", 1, 1, no_neutral_value}};

// Treats "0", "0 0" and "0 0 0" as equal.
bool changes_nothing(const Option& option, const std::array<std::string_view, 3>& words)
{
    std::string_view rest = option.neutral;
    for (const std::string_view word : words) {
        if (word.empty()) break;
        const auto neutral = take_word(rest);
        const auto number = to_number(word), wanted = to_number(neutral);
        if (number && wanted ? *number != *wanted : ascii::lower(word) != neutral) return false;
    }
    return !option.neutral.empty();
}

// After a name, an option is only recognized with all its words; otherwise it may be part of the name.
bool fits(const Option& option, std::string_view word)
{
    if (word.empty() || word.front() == '-') return io::parse_number(word).has_value();
    return io::parse_number(word) || (option.max_arguments == 1 && word.find('.') == word.npos);
}

// For trimmed text: returns the start of the first text that is not an option with its words, or the end.
std::size_t end_of_options(std::string_view text)
{
    for (std::string_view rest = text; !rest.empty();) {
        const std::string name = ascii::lower(take_word(rest));
        const std::size_t word_end = text.size() - rest.size();
        const auto option = std::ranges::find(options, name, &Option::name);
        if (option == options.end()) return word_end - 1;
        int count = 0;
        for (; count < option->max_arguments; ++count) {
            std::string_view after = rest;
            if (!fits(*option, take_word(after))) break;
            rest = after;
        }
        if (count < option->min_arguments) return word_end - 1;
    }
    return text.size();
}

// Returns the start of options that extend to the end of the text. A name may contain " -s" too.
std::size_t trailing_options(std::string_view text)
{
    for (std::size_t at = text.find(" -"); at != text.npos;) {
        const std::size_t end = at + 1 + end_of_options(text.substr(at + 1));
        if (end == text.size()) return at;
        at = text.find(" -", end);
    }
    return text.size();
}

class MapParser {
public:
    MapParser(const std::string& place, io::WarningLog& warnings) : place_(place), warnings_(warnings) {}

    MtlMap read(std::string_view rest);

private:
    std::string_view read_options(MtlMap& map, std::string_view rest);
    void apply(MtlMap& map, const Option& option, const std::array<std::string_view, 3>& words);
    void warn(std::string_view code, std::string message) { warnings_.add(code, std::move(message), place_); }

    const std::string& place_;
    io::WarningLog& warnings_;
};

MtlMap MapParser::read(std::string_view rest)
{
    MtlMap map;
    rest = read_options(map, ascii::trimmed(rest, is_white));
    const std::size_t end = trailing_options(rest);
    if (end < rest.size()) {
        // a dummy last word as name, because options leave one word
        read_options(map, std::string(ascii::trimmed(rest.substr(end), is_white)) + " .");
        rest = ascii::trimmed(rest.substr(0, end), is_white);
    }
    if (rest.size() >= 2 && rest.front() == '"' && rest.back() == '"') rest = rest.substr(1, rest.size() - 2);
    map.file = io::to_utf8(rest);
    return map;
}

// Returns the text after the options, at min_arguments one word.
std::string_view MapParser::read_options(MtlMap& map, std::string_view rest)
{
    while (rest.starts_with('-')) {
        std::string_view behind = rest;
        const std::string name = ascii::lower(take_word(behind));
        if (behind.empty()) break; // a file with that name
        const auto option = std::ranges::find(options, name, &Option::name);
        rest = behind;
        if (option == options.end()) {
            warn("mtl_unknown_option", fmt::format("the texture option {} is unknown", io::shown(name)));
            rest = next_option(rest);
            continue;
        }
        std::array<std::string_view, 3> words;
        for (int i = 0; i < option->max_arguments; ++i) {
            std::string_view after = rest;
            const std::string_view word = take_word(after);
            if (after.empty() || (i >= option->min_arguments && !io::parse_number(word))) break;
            words[static_cast<std::size_t>(i)] = word;
            rest = after;
        }
        apply(map, *option, words);
    }
    return rest;
}

void MapParser::apply(MtlMap& map, const Option& option, const std::array<std::string_view, 3>& words)
{
    const auto pair = [&](glm::vec2& out) {
        out.x = to_number(words[0]).value_or(out.x);
        out.y = to_number(words[1]).value_or(out.y);
    };
    if (option.neutral != no_neutral_value && !changes_nothing(option, words))
        warn("mtl_option",
             fmt::format("the option {} of a texture is not supported; it is ignored", option.name));
    if (option.name == "-o") pair(map.offset);
    if (option.name == "-s") pair(map.scale);
    if (option.name == "-bm") map.bump = to_number(words[0]).value_or(1.0f);
    if (option.name == "-clamp") map.clamp = ascii::lower(words[0]) == "on";
}

} // namespace

MtlMap parse_map(std::string_view rest, const std::string& place, io::WarningLog& warnings)
{
    return MapParser(place, warnings).read(rest);
}

} // namespace vitrine::obj
