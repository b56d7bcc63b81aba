// A table of 1 MiB of addresses in memory that is read-only once they are stored.

namespace {

constexpr int count = 1 << 17;
const char letters[64] = {};

struct Addresses {
    const char* values[count];
};

consteval Addresses make_addresses()
{
    Addresses table{};
    for (int i = 0; i < count; ++i)
        table.values[i] = letters + i % 64;
    return table;
}

constinit const Addresses table = make_addresses();

} // namespace

// How many addresses are wrong.
extern "C" int count_faults()
{
    int faults = 0;
    const volatile Addresses& stored = table; // as stored by the dynamic linker, not as known by the compiler
    for (int i = 0; i < count; ++i)
        faults += stored.values[i] != letters + i % 64 ? 1 : 0;
    return faults;
}
