// Boost.Json is used header-only: its one compiled part lives here.
#include <boost/json/src.hpp>
