#pragma once
// The exceptions of the renderer; renderer.hpp says when they are thrown.

#include <stdexcept>

namespace vitrine::render {

struct RenderError : std::runtime_error {
    using std::runtime_error::runtime_error;
};
// The model cannot be drawn in this pose on any device or with any view.
struct Undrawable : RenderError {
    using RenderError::RenderError;
};
// The device has too little memory for the model or the image, even with nothing else allocated.
struct TooLargeForDevice : RenderError {
    using RenderError::RenderError;
};
struct DeviceLost : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace vitrine::render
