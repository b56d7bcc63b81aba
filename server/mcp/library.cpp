#include "server/mcp/library.hpp"

#include <array>

namespace vitrine::server {
namespace {

constexpr std::array methods{
    McpMethod{"tools/list", list_tools, true},
    McpMethod{"tools/call", call_tool},
    McpMethod{"resources/list", list_resources, true},
    McpMethod{"resources/templates/list", list_resource_templates, true},
    McpMethod{"resources/read", read_resource, true},
    McpMethod{"prompts/list", list_prompts, true},
    McpMethod{"prompts/get", get_prompt},
    McpMethod{"completion/complete", complete_argument},
};

constexpr std::string_view instructions =
    "A library of 3D models with skeletons and animation clips. Find models with search_assets and "
    "find_similar, look "
    "at them with look, which draws a sheet of poses and views, and read their facts with get_asset, "
    "get_rig, list_clips, "
    "get_clip_facts, get_pose and check_asset. Assets are named by their id. Lengths are meters, Y is up, "
    "times are "
    "seconds, angles are degrees. Nothing here changes the library.";

} // namespace

McpServer library_server()
{
    return {methods, instructions};
}

} // namespace vitrine::server
