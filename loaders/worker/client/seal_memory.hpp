#pragma once
// Sealing memory files: nobody changes them from then on.

namespace vitrine::worker {

// Forbids to write to a memfd and to change its size, for good. False: somebody still maps it for writing,
// for more than a second, or it is none. The kernel itself may hold a page for a moment, as it moves memory
// about, and calls that busy too.
bool seal(int memory);

} // namespace vitrine::worker
