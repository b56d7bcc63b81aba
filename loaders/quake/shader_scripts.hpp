#pragma once
// The Quake III shader scripts (*.shader) and Doom 3 materials (*.mtr) of an upload.

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "loaders/io/input.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/quake/shader_appearance.hpp"

namespace vitrine::quake {

class ShaderScripts {
public:
    // Both arguments must outlive it.
    ShaderScripts(Source& source, io::WarningLog& warnings) : source_(source), warnings_(warnings) {}

    // Finds a shader's definition; nullptr without one. Ignores case, extension and the kind of slash. The
    // first of several definitions is used, scripts being sorted by name. All scripts are read on the first
    // call. The pointer is valid as long as this.
    const ShaderAppearance* find(std::string_view shader);

private:
    struct Definition {
        std::string_view body;
        std::optional<ShaderAppearance> appearance; // parsed on first use
    };
    void read_all();
    void read(std::string_view text);

    Source& source_;
    io::WarningLog& warnings_;
    bool is_read_ = false;
    std::deque<std::string> converted_; // texts that were converted to another encoding
    std::unordered_map<std::string, Definition, io::StringHash, std::equal_to<>> definitions_;
};

} // namespace vitrine::quake
