#pragma once
// The render process: a Renderer that is used through a socket (messages.hpp).

namespace vitrine::render_process {

// The argument with which the program runs as a render process.
inline constexpr const char* child_argument = "render-process";

// Runs until the server closes its end of the socket, which is descriptor 3. Returns the exit code. Called by
// main() before any other thread exists.
int run_render_child();

} // namespace vitrine::render_process
