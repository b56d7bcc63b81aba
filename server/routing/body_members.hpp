#pragma once
// Typed members of a JSON object that is the body of a request, or an object in it. Collects all errors, so
// that one response reports them together; unknown members are errors too.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>

#include "api/problem.hpp"

namespace vitrine::server {

class BodyMembers {
public:
    // `at`: JSON pointer of the object; empty: the body. `object` outlives the reader.
    explicit BodyMembers(const boost::json::object& object, std::string at = {})
        : object_(object), at_(std::move(at))
    {
    }

    const boost::json::value* find(std::string_view name);
    // Without white space at its begin and end.
    std::optional<std::string> text(std::string_view name);
    // As text(); null: an empty text.
    std::optional<std::string> text_or_null(std::string_view name);
    std::optional<bool> flag(std::string_view name);
    std::optional<std::uint64_t> integer(std::string_view name, std::uint64_t max); // 0..max
    // `min`..`max` strings.
    std::optional<std::vector<std::string>> texts(std::string_view name, std::size_t min, std::size_t max);
    void require(std::string_view name);
    void reject(std::string_view name, std::string_view why); // empty `why`: it is valid
    void merge(BodyMembers& inner);                           // all its errors, after its members were read

    // Call after all members were read. Returns 400 bad_body with the errors, if any.
    std::optional<api::Problem> finish();

private:
    void reject_unknown();

    const boost::json::object& object_;
    std::string at_;
    std::set<std::string, std::less<>> known_;
    std::vector<api::FieldError> errors_;
};

} // namespace vitrine::server
