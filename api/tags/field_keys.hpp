#pragma once
// Numbers by which the catalog compares values of custom fields of collections.

#include <optional>
#include <string_view>

namespace vitrine::api {

// Ascends with the number. Precondition: it is finite.
long long number_key(double number);
// Days since 1970 of a date such as 2026-11-28, of the years 0001 to 9999; empty: it is no date.
std::optional<long long> date_key(std::string_view text);

} // namespace vitrine::api
