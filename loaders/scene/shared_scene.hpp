#pragma once
// A Scene that several threads read.

#include <memory>

namespace vitrine::scene {

struct Scene;
using SharedScene = std::shared_ptr<const Scene>;

} // namespace vitrine::scene
