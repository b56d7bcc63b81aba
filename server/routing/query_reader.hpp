#pragma once
// Typed query parameters. Collects all errors, so that one response reports them together. Unknown and
// repeated parameters are errors too: a misspelled filter must not be ignored silently.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/routing/route.hpp"

namespace vitrine::server {

class QueryReader {
public:
    explicit QueryReader(const Request& request) : query_(request.target.query) {}
    // Reads what concerns one of several models: "N.name" where it is given, otherwise "name", which is for
    // all of them.
    QueryReader(const Request& request, std::size_t model)
        : query_(request.target.query), prefix_(std::to_string(model) + ".")
    {
    }

    std::optional<std::string> text(std::string_view name);
    std::optional<double> number(std::string_view name, double min, double max);
    std::optional<std::uint64_t> integer(std::string_view name, std::uint64_t min, std::uint64_t max);
    std::optional<bool> flag(std::string_view name);       // true, false, 1, 0
    std::vector<std::string> texts(std::string_view name); // may be repeated
    // What follows the prefix in names of parameters that have it, each once.
    std::vector<std::string> names_after(std::string_view prefix) const;
    // Reads finite numbers between separators.
    std::optional<std::vector<double>> numbers(std::string_view name, std::size_t min, std::size_t max,
                                               char separator = ',');
    // `choices`: pairs of a word and its value.
    template <class T, class Choices = std::initializer_list<std::pair<std::string_view, T>>>
    std::optional<T> choice(std::string_view name, const Choices& choices)
    {
        auto value = text(name);
        if (!value) return std::nullopt;
        std::string known;
        for (const auto& [key, result] : choices) {
            if (key == *value) return result;
            known += (known.empty() ? "" : ", ") + std::string(key);
        }
        reject(name, "must be one of " + known);
        return std::nullopt;
    }
    void reject(std::string_view name, std::string why);
    // The name under which the parameter is given: "N.name" or "name".
    std::string given_name(std::string_view name) const;
    // Takes over what another reader of the same query has read and rejected.
    void merge(const QueryReader& other);

    // Call after all parameters were read. Returns the errors, if any.
    std::optional<api::Problem> finish();

private:
    const Query& query_;
    std::string prefix_; // empty: of no model
    std::set<std::string, std::less<>> known_;
    std::vector<api::FieldError> errors_;
};

} // namespace vitrine::server
