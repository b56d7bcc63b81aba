#include <array>

#include "server/cli/access/user_command.hpp"
#include "server/cli/command.hpp"
#include "server/cli/moves/move_commands.hpp"

namespace vitrine::cli {
namespace {

constexpr std::array table{
    Command{"serve", "Run the server", declare_serve},
    Command{"import", "Upload files, folders and zips to a server", declare_import},
    Command{"library", "Show folders of a server as libraries, without copying their models",
            declare_library},
    Command{"inspect", "Print the contents of model files as JSON", declare_inspect},
    Command{"check", "Check model files against a profile: budgets, faults of clips, names", declare_check},
    Command{"bake", "Write the skinned mesh of a model, in the pose at a given time, as OBJ or PLY",
            declare_bake},
    Command{"pose", "Print the transforms of all nodes in the pose at a given time, as JSON", declare_pose},
    Command{"render", "Render an image of a model, an orbit or a clip", declare_render},
    Command{"convert", "Convert a model of any format to GLB", declare_convert},
    Command{"bench", "Measure the skinning of a model on the CPU and on the device", declare_bench},
    Command{"samples", "Write the sample library, each model in every format that supports it",
            declare_samples},
    Command{"login", "Get a token for a server, which a person approves in a browser", declare_login},
    Command{"logout", "Revoke the token of `vitrine login`", declare_logout},
    Command{"token", "Create, list and revoke access tokens of a server", declare_token},
    Command{"user", "Create, list and remove users of a server, and set their passwords", declare_user},
    Command{"migrate", "Move a catalog and its blobs to another database and another store", declare_migrate},
    Command{"backup", "Back up a data folder while the server runs", declare_backup},
    Command{"restore", "Make a data folder from a backup", declare_restore},
    Command{"doctor", "Check this machine for what Vitrine needs, and suggest fixes", declare_doctor},
};

} // namespace

std::span<const Command> commands()
{
    return table;
}

} // namespace vitrine::cli
