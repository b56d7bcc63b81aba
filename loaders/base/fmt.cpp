// fmt is compiled once here where Debian has no archive of it: format-inl.h has the functions that its
// headers leave out, and these are the templates that they declare and leave to the library.
#include <fmt/format-inl.h>

namespace fmt::detail {

template dragonbox::decimal_fp<float> dragonbox::to_decimal(float) noexcept;
template dragonbox::decimal_fp<double> dragonbox::to_decimal(double) noexcept;
template std::locale locale_ref::get<std::locale>() const;
template thousands_sep_result<char> thousands_sep_impl(locale_ref);
template char decimal_point_impl(locale_ref);

} // namespace fmt::detail
