#pragma once
// Input for text formats: UTF-16 files, and a tokenizer that tracks line numbers. Views refer to the given
// text, which must outlive them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "loaders/io/input.hpp"
#include "loaders/io/text/encoding.hpp"

namespace vitrine::io {

// Returns the bytes as text without a byte order mark. UTF-16 with a mark is converted into `storage`, which
// the view then refers to; other text is returned unmodified in its encoding.
std::string_view as_text(Bytes bytes, std::string& storage);

// An excerpt of the file for a message: quoted, UTF-8, at most 40 bytes.
std::string shown(std::string_view text);

struct Token {
    enum class Kind : std::uint8_t { end, word, quoted, punctuation };
    Kind kind = Kind::end;
    std::string_view text{}; // without quotes
    std::uint32_t line = 0;
};

// Reads words, "quoted strings" and the single characters ( ) { }, separated by white space; skips C and C++
// comments. Failure is sticky: after the first failure only end tokens are returned, numbers are 0, and
// error() keeps the failure with its line, so that a parser checks once.
class TextReader {
public:
    explicit TextReader(std::string_view text);

    const Token& peek() const { return token_; }
    bool at_end() const { return token_.kind == Token::Kind::end; }
    Token next();
    // Consumes the next token and returns true if it is this word (ignoring case) or punctuation, unquoted.
    bool accept(std::string_view word);
    void expect(std::string_view word);
    // `what` is the subject of the error message.
    double number(std::string_view what, double magnitude_limit = 1e30);
    std::int64_t integer(std::string_view what, std::int64_t min_value, std::int64_t max_value);
    std::string_view string(std::string_view what); // a word or a quoted string
    // Reads a typical line in one call. `pattern`: i is an unsigned integer, n a number; also parentheses;
    // all on one line, separated by blanks only. Writes one value per number. Returns false without consuming
    // anything if the line differs or a number is valid but not simple (more than 15 digits, beyond
    // `max_pattern_number`, exponents); the caller then reads token by token.
    bool take_pattern(std::string_view pattern, double* out);
    static constexpr double max_pattern_number = 1e6; // for n; for i the maximum is 2^32 - 1
    void skip_line();                                 // to the end of the next token's line
    // Bytes after the next token: an upper bound for any count declared by the file.
    std::uint64_t remaining() const { return static_cast<std::uint64_t>(last_ - at_); }
    // Text of the last comment before the next token.
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
    void unexpected(std::string_view expected);

    const char* at_;
    const char* last_;
    const char* last_line_end_; // loops that stop at a line end need no other end check before it
    std::uint32_t line_ = 1;
    Token token_;
    std::string_view comment_;
    std::optional<LoadError> error_;
};

} // namespace vitrine::io
