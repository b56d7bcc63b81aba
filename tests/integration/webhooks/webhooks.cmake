# Webhooks, with receivers of the test, on SQLite and on PostgreSQL.
vitrine_test(integration_webhooks LABEL integration WHOLE TIMEOUT 300
    SOURCES webhooks/webhook_receiver.cpp webhooks/webhooks_test.cpp
    LINKS vitrine_http_support loaders_io vitrine_test_support OpenSSL::Crypto)
add_dependencies(integration_webhooks vitrine)
add_test(NAME integration_webhooks_postgres
    COMMAND ${CMAKE_SOURCE_DIR}/script/with-postgres $<TARGET_FILE:integration_webhooks> --gtest_brief=1)
set_tests_properties(integration_webhooks_postgres PROPERTIES LABELS integration TIMEOUT 300 COST 600 SKIP_RETURN_CODE 77)
