#pragma once
// The shader scripts of Quake III (*.shader) and the materials of Doom 3 (*.mtr) of an upload.

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
    // Both outlive it.
    ShaderScripts(Source& source, io::WarningLog& warnings) : source_(source), warnings_(warnings) {}

    // What the scripts say of this shader; nullptr: nothing. Case, an extension and the kind of slash count
    // not. Of several definitions the first counts, of the scripts by their names. All are read with the
    // first question. The pointer lives as long as this.
    const ShaderAppearance* find(std::string_view shader);

private:
    struct Definition {
        std::string_view body;
        std::optional<ShaderAppearance> appearance; // once somebody asked
    };
    void read_all();
    void read(std::string_view text);

    Source& source_;
    io::WarningLog& warnings_;
    bool is_read_ = false;
    std::deque<std::string> converted_; // texts that are not the source's own bytes
    std::unordered_map<std::string, Definition, io::StringHash, std::equal_to<>> definitions_;
};

} // namespace vitrine::quake
