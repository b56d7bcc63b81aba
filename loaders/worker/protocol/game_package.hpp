#pragma once
// The unpacked game package that a model of id's formats lies in. Such a model names its pictures from the
// package's root ("models/players/a/skin.tga", "textures/metal"), which is above its folder, where nothing is
// listed and nothing else is read. Parent's side; may_request_from_package() is asked on both.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/worker/protocol/bundle.hpp"
#include "loaders/worker/protocol/descriptor.hpp"

namespace vitrine::worker {

// How many names one load may ask for.
inline constexpr std::size_t max_package_lookups = 4'096;

// The folder above the nearest one called "models" (else "players") that an MD2, MD3 or MD5 lies in; empty:
// there is none.
std::filesystem::path find_package_root(const std::filesystem::path& model);

// Adds the shader scripts of the package, as names from its root ("scripts/a.shader", "materials/a.mtr").
// Bounded.
void add_scripts(std::vector<BundleFile>& files, const std::filesystem::path& package);

// Whether a name may be asked for: a picture's, in a folder below the root, none of its parts hidden.
bool may_request_from_package(std::string_view name);

// Opens it read-only; neither ".." nor a link leads out of the root. Invalid: it is not there, or the kernel
// is older than openat2 (5.6). Precondition: may_request_from_package().
Descriptor open_beneath(const std::filesystem::path& package, const std::string& name);

} // namespace vitrine::worker
