#pragma once
// Converts JSON values to text. Unlike boost::json::serialize, writes numbers in their shortest form that
// reads back exactly (0.1, not 1E-1), and has an indented format.

#include <optional>
#include <string>
#include <string_view>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

namespace vitrine::api {

// Returns a float as a JSON number: the double whose shortest decimal form is that of the float (0.1f gives
// 0.1 and not 0.10000000149011612); reads back to the same float. null if it is not finite.
boost::json::value number(float value);
boost::json::value number(double value);
// Appends to_text(number(value)), without the value.
void append_number(std::string& text, float value);
// For a glm vector.
template <class Vector>
boost::json::array numbers(const Vector& vector)
{
    boost::json::array out;
    for (int i = 0; i < Vector::length(); ++i)
        out.push_back(number(vector[i]));
    return out;
}

// Writes one line.
std::string to_text(const boost::json::value& value);
// Indents by two; arrays of numbers stay on one line.
std::string to_pretty_text(const boost::json::value& value);
// Returns the string `key` of an object; empty if it is missing or not a string.
std::string text_of(const boost::json::object& object, std::string_view key);

// The text of a text, number or flag, as parameters of URLs have it ("true"); empty for other values.
std::optional<std::string> scalar_text(const boost::json::value& value);

} // namespace vitrine::api
