#pragma once
// JSON values to text. Unlike boost::json::serialize, numbers come out in their shortest form that reads back
// exactly (0.1, not 1E-1), and a layout for people is there.

#include <string>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

namespace vitrine::api {

// A float as a JSON number: the double whose shortest decimal form is the float's own (0.1f gives 0.1 and not
// 0.10000000149011612); reads back to the same float. null where it is not finite.
boost::json::value number(float value);
boost::json::value number(double value);
// Of a vector of glm.
template <class Vector>
boost::json::array numbers(const Vector& vector)
{
    boost::json::array out;
    for (int i = 0; i < Vector::length(); ++i)
        out.push_back(number(vector[i]));
    return out;
}

// On one line.
std::string to_text(const boost::json::value& value);
// Indented by two; arrays of numbers stay on one line.
std::string to_pretty_text(const boost::json::value& value);

} // namespace vitrine::api
