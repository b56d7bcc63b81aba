#include "loaders/base/error.hpp"

namespace vitrine {

std::string_view to_string(LoadErrc code)
{
    switch (code) {
    case LoadErrc::unknown_format: return "unknown_format";
    case LoadErrc::truncated: return "truncated";
    case LoadErrc::malformed: return "malformed";
    case LoadErrc::out_of_range: return "out_of_range";
    case LoadErrc::unsupported: return "unsupported";
    case LoadErrc::limit_exceeded: return "limit_exceeded";
    case LoadErrc::missing_file: return "missing_file";
    case LoadErrc::empty: return "empty";
    case LoadErrc::timed_out: return "timed_out";
    case LoadErrc::out_of_memory: return "out_of_memory";
    case LoadErrc::crashed: return "crashed";
    case LoadErrc::killed: return "killed";
    case LoadErrc::internal: break;
    }
    return "internal";
}

} // namespace vitrine
