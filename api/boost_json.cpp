// Compiles the one source part of Boost.JSON, which is otherwise used header-only.
#include <boost/json/src.hpp>
