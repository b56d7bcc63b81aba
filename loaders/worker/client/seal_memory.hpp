#pragma once
// Seals memory files against further changes.

namespace vitrine::worker {

// Permanently forbids writing to a memfd and changing its size. Returns false if it is still mapped for
// writing after one second or is not a memfd. The kernel may hold a page for a short time while migrating
// memory and then also reports busy.
bool seal(int memory);

} // namespace vitrine::worker
