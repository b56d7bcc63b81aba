#pragma once
// Writes a JSON report as a page of text.

#include <string>

#include <boost/json/object.hpp>

namespace vitrine::bench {

// One block per member: its name, then its members in lines; a list of objects is a table whose columns are
// the members of its first row. Members named bytes or ending with Bytes are written with a unit; fractions
// with four digits.
std::string text_page(const boost::json::object& report);

} // namespace vitrine::bench
