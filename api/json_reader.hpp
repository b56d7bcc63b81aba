#pragma once
// Reads members of untrusted JSON documents with their JSON pointers, until the first mistake, which is
// reported as one sentence.

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

namespace vitrine::api {

// Errors: "line 3, column 7: is not valid JSON (...)".
std::expected<boost::json::value, std::string> parse_json(std::string_view text);

// A value and its JSON pointer (RFC 6901).
struct JsonPlace {
    const boost::json::value& value;
    std::string pointer;

    JsonPlace member(std::string_view key, const boost::json::value& inner) const;
    JsonPlace element(std::size_t index, const boost::json::value& inner) const;
};

class JsonReader {
public:
    // "/rules/x: WHY"; empty: there was no mistake.
    const std::string& error() const { return error_; }
    bool has_failed() const { return !error_.empty(); }
    void reject(const JsonPlace& at, std::string_view why);

    // Each returns a default value after a mistake.
    std::string text(const JsonPlace& at); // at most 1000 bytes
    double number(const JsonPlace& at);    // finite, at least 0
    bool flag(const JsonPlace& at);
    std::vector<std::string> texts(const JsonPlace& at, std::size_t limit);

    // `read(key, place)` returns false if it knows no such member.
    template <class Read>
    void for_members(const JsonPlace& at, const Read& read)
    {
        const auto* object = at.value.if_object();
        if (object == nullptr) return reject(at, "must be an object");
        for (const auto& member : *object) {
            if (has_failed()) return;
            const std::string_view key = member.key();
            const auto place = at.member(key, member.value());
            if (!read(key, place)) reject(place, "is no member of a profile here");
        }
    }
    template <class Read>
    void for_elements(const JsonPlace& at, std::size_t limit, const Read& read)
    {
        const auto* array = at.value.if_array();
        if (array == nullptr) return reject(at, "must be an array");
        if (array->size() > limit) return reject(at, fmt::format("must have at most {} elements", limit));
        for (std::size_t i = 0; i < array->size() && !has_failed(); ++i)
            read(at.element(i, (*array)[i]));
    }

private:
    std::string error_;
};

} // namespace vitrine::api
