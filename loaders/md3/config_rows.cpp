#include "loaders/md3/config_rows.hpp"

#include <algorithm>

#include "loaders/base/ascii.hpp"
#include "loaders/io/text/number_scanner.hpp"

namespace vitrine::md3 {
namespace {

constexpr std::size_t row_size = 4;

struct Keyword {
    std::string_view name;
    std::size_t arguments;
};
constexpr std::array<Keyword, 5> keywords = {
    {{"sex", 1}, {"footsteps", 1}, {"headoffset", 3}, {"fixedlegs", 0}, {"fixedtorso", 0}}};

// Parses like atof(): characters after the number are ignored. "nan" and "inf" only as whole words.
std::optional<double> parse_number(std::string_view word)
{
    const char first = word.front();
    const bool is_numeric = (first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.';
    if (!is_numeric) return io::parse_number(word);
    const io::ScannedNumber number = io::scan_number(word.data(), word.data() + word.size());
    return number.end == word.data() ? std::nullopt : std::optional(number.value);
}

bool is_part_of_name(char c)
{
    return c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool is_name(std::string_view word)
{
    return std::ranges::all_of(word, is_part_of_name) && !io::parse_number(word);
}

// Returns the first name in the form of the game's names, "LEGS_RUN", in a comment.
std::string_view name_in(std::string_view comment)
{
    std::size_t begin = comment.npos;
    for (const std::string_view prefix : {"BOTH_", "TORSO_", "LEGS_"})
        begin = std::min(begin, comment.find(prefix));
    if (begin == comment.npos) return {};
    const std::string_view rest = comment.substr(begin);
    return {rest.begin(), std::ranges::find_if_not(rest, is_part_of_name)};
}

class RowReader {
public:
    explicit RowReader(std::span<const ConfigWord> words) : words_(words) {}

    std::vector<ConfigRow> run()
    {
        while (at_ < words_.size())
            read_next();
        return std::move(rows_);
    }

private:
    void read_next();
    bool skip_keyword();
    void read_row(std::string_view name);
    void take_numbers(ConfigRow& row);
    bool goes_on(std::size_t begin) const;
    void skip_extras(const ConfigRow& row);

    // Returns the count of consecutive numbers on one line from here, at most one row's.
    std::size_t numbers_at(std::size_t at) const
    {
        std::size_t count = 0;
        while (count < row_size && at + count < words_.size() && words_[at + count].line == words_[at].line &&
               parse_number(words_[at + count].text))
            ++count;
        return count;
    }
    // Returns whether the last word is followed by another one on its line.
    bool is_line_left() const { return at_ < words_.size() && words_[at_].line == words_[at_ - 1].line; }
    void skip_numbers()
    {
        while (is_line_left() && parse_number(words_[at_].text))
            ++at_;
    }
    void skip_line()
    {
        while (is_line_left())
            ++at_;
    }

    std::span<const ConfigWord> words_;
    std::size_t at_ = 0;
    std::uint32_t last_row_line_ = 0; // line on which the last row ended
    std::vector<ConfigRow> rows_;
};

void RowReader::read_next()
{
    if (skip_keyword()) return;
    const ConfigWord& word = words_[at_];
    const bool is_named = is_name(word.text) && at_ + 1 < words_.size() &&
                          words_[at_ + 1].line == word.line && numbers_at(at_ + 1) == row_size;
    if (is_named) {
        ++at_;
        read_row(word.text);
    } else if (parse_number(word.text)) {
        read_row({});
    } else {
        ++at_;
        skip_line();
    }
}

// Only headoffset continues on the next line, because a forgotten argument would consume a row's numbers.
bool RowReader::skip_keyword()
{
    const ConfigWord& word = words_[at_];
    const auto keyword = std::ranges::find_if(
        keywords, [&](const Keyword& k) { return ascii::equal_ignoring_case(k.name, word.text); });
    if (keyword == keywords.end()) return false;
    ++at_;
    const bool may_wrap = keyword->arguments > 1;
    for (std::size_t left = keyword->arguments; left > 0 && at_ < words_.size(); --left, ++at_) {
        const ConfigWord& argument = words_[at_];
        if (argument.line != word.line && !(may_wrap && parse_number(argument.text))) break;
    }
    return true;
}

// Returns whether the word at at_ continues the row that starts at `begin`: any word on its line; on later
// lines numbers, except those of a line that contains a complete row when this row has its own lines.
bool RowReader::goes_on(std::size_t begin) const
{
    if (at_ == words_.size() || at_ - begin == row_size) return false;
    const ConfigWord& word = words_[at_];
    if (word.line == words_[begin].line) return true;
    if (!parse_number(word.text)) return false;
    const bool is_midst = words_[begin].line == last_row_line_ || word.line == words_[at_ - 1].line;
    return is_midst || numbers_at(at_) < row_size;
}

void RowReader::take_numbers(ConfigRow& row)
{
    const std::size_t begin = at_;
    for (; goes_on(begin); ++at_)
        row.numbers[at_ - begin] = parse_number(words_[at_].text);
    const char* text = words_[begin].text.data();
    const std::string_view last = words_[at_ - 1].text;
    row.text = {text, static_cast<std::size_t>(last.data() + last.size() - text)};
    row.line = words_[begin].line;
}

// Skips text that other games or authors write after the four numbers of a line. Four or more numbers are
// another row.
void RowReader::skip_extras(const ConfigRow& row)
{
    if (!is_line_left()) return;
    const bool is_whole =
        std::ranges::all_of(row.numbers, [](const auto& number) { return number.has_value(); });
    if (!is_whole) return skip_line();
    const bool has_line = row.line == words_[at_ - 1].line && row.line != last_row_line_;
    const bool is_named = !row.name.empty();
    if (is_named || (has_line && numbers_at(at_) < row_size)) skip_numbers();
    if (!is_named && is_line_left() && !parse_number(words_[at_].text)) skip_line();
}

void RowReader::read_row(std::string_view name)
{
    const std::size_t begin = at_;
    ConfigRow row;
    row.name = name;
    take_numbers(row);
    const std::uint32_t ends = words_[at_ - 1].line;
    skip_extras(row);
    last_row_line_ = ends;
    for (std::size_t i = begin; i < at_ && row.name.empty(); ++i)
        row.name = name_in(words_[i].comment);
    rows_.push_back(row);
}

} // namespace

std::vector<ConfigRow> read_rows(std::span<const ConfigWord> words)
{
    return RowReader(words).run();
}

} // namespace vitrine::md3
