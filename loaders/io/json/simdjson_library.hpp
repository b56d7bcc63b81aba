#pragma once
// libsimdjson, loaded when JSON is parsed first. It brings the shared C++ library, and binding the symbols of
// both takes longer than loading a small model; only glTF files contain JSON.

namespace vitrine::io {

// Loads libsimdjson, if it was not. A process that may open no files later calls this before; JsonDocument
// does otherwise. Returns false if it is not installed.
bool load_simdjson_library();

} // namespace vitrine::io
