#pragma once
// libzip, loaded when an archive is opened first. It brings libcrypto, and binding the symbols of both takes
// longer than loading a small model; most jobs of the loader process open no archive.

namespace vitrine::io {

// Loads libzip, if it was not. A process that may open no files later calls this before; unzip() does
// otherwise. Returns false if it is not installed.
bool load_zip_library();

} // namespace vitrine::io
