#include "server/samples/samples.hpp"

#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "server/cli/command.hpp"

namespace vitrine::cli {

Action declare_samples(CLI::App& app)
{
    auto folder = std::make_shared<std::string>();
    app.add_option("DIR", *folder, "Folder to write to; created if needed")->required();
    return [folder] {
        for (const auto& file : samples::write_samples(*folder))
            fmt::print("{}\n", file.string());
        return 0;
    };
}

} // namespace vitrine::cli
