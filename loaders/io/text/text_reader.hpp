#pragma once
// Text formats read through here: numbers that do not depend on the locale (fast_float is wrapped here and
// nowhere else), UTF-16 files, and a tokeniser that knows its line. Views point into the text that was
// given; it must outlive them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "loaders/io/input.hpp"
#include "loaders/io/text/encoding.hpp"

namespace vitrine::io {

// The bytes as text without a byte order mark. UTF-16 with its mark is converted into `storage`, which the
// view then points into; everything else is returned as it is, whatever its encoding.
std::string_view as_text(Bytes bytes, std::string& storage);

// A piece of the file for a sentence: quoted, UTF-8, at most 40 bytes.
std::string shown(std::string_view text);

// The longest decimal number at the start of [first, last): sign, digits with a dot on either side or none
// ("1.", ".5", "+1e-3"), also "nan" and "inf". end == first: there is none.
struct ScannedNumber {
    double value = 0.0;
    const char* end = nullptr;
};
ScannedNumber scan_number(const char* first, const char* last);

// The whole text as a number; empty when it is none.
std::optional<double> parse_number(std::string_view text);

struct Token {
    enum class Kind : std::uint8_t { end, word, quoted, punctuation };
    Kind kind = Kind::end;
    std::string_view text{}; // without its quotes
    std::uint32_t line = 0;
};

// Words, "quoted strings" and the single characters ( ) { }, separated by any white space; // and /* */
// comments. Failure is sticky: after the first one only end tokens come, numbers are 0, and error() keeps
// that first failure with its line, so that a parser checks once.
class TextReader {
public:
    explicit TextReader(std::string_view text);

    const Token& peek() const { return token_; }
    bool at_end() const { return token_.kind == Token::Kind::end; }
    Token next();
    // True and consumed when the next token is this word (case counts not) or this punctuation, unquoted.
    bool accept(std::string_view word);
    void expect(std::string_view word);
    // `what` names the thing in the sentence of a failure.
    double number(std::string_view what, double magnitude_limit = 1e30);
    std::int64_t integer(std::string_view what, std::int64_t least, std::int64_t most);
    std::string_view string(std::string_view what); // a word or a quoted string
    // The usual line in one go. `pattern`: i a whole number without sign, n a number, and parentheses, all on
    // one line with nothing but blanks between them. Writes a value for each number. False, with nothing
    // taken, also for what is good but not plain (more than 15 digits, beyond `max_pattern_number`,
    // exponents): then token by token.
    bool take_pattern(std::string_view pattern, double* out);
    static constexpr double max_pattern_number = 1e6; // of n; of i 2^32 - 1
    void skip_line();                                 // to the end of the line of the next token
    // Bytes behind the next token: an upper limit for whatever a count in the file announces.
    std::uint64_t remaining() const { return static_cast<std::uint64_t>(last_ - at_); }
    // The text of the last comment that stands before the next token.
    std::string_view comment() const { return comment_; }

    bool failed() const { return error_.has_value(); }
    const LoadError& error() const { return *error_; } // precondition: failed()
    void fail(LoadErrc code, std::string detail);      // at the next token's line
    void fail_at(std::uint32_t line, LoadErrc code, std::string detail);

private:
    void advance();
    void skip_space();
    bool skip_comment();
    void scan_quoted();
    bool at_word_end() const;
    void unexpected(std::string_view wanted);

    const char* at_;
    const char* last_;
    const char* last_line_end_; // loops that stop at a line end need no other before it
    std::uint32_t line_ = 1;
    Token token_;
    std::string_view comment_;
    std::optional<LoadError> error_;
};

} // namespace vitrine::io
