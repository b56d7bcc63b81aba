// Opening of the catalog, and its state as a whole.

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/schema/schema.hpp"

using soci::into;

namespace vitrine::server {

Catalog::Catalog(const std::string& location, unsigned readers)
    : impl_(std::make_unique<Impl>(location, readers))
{
    impl_->connections.setup([](DatabaseConnection& sql) { migrate(sql); });
    impl_->connections.start_listening();
}

Catalog::~Catalog() = default;

const Generations& Catalog::generations() const
{
    return impl_->connections.generations();
}

Signals& Catalog::signals()
{
    return impl_->connections.signals();
}

DatabaseConnections& Catalog::connections()
{
    return impl_->connections;
}

void Catalog::check() const
{
    impl_->connections.read([](DatabaseConnection& sql) {
        long long one = 0;
        sql << "SELECT COUNT(*) FROM migrations", into(one);
    });
}

} // namespace vitrine::server
