# Moves, backups and restoration by the real program.
vitrine_test(integration_moves LABEL integration WHOLE TIMEOUT 300
    SOURCES moves/backup_command_test.cpp moves/migrate_test.cpp moves/separate_places_test.cpp s3/object_store.cpp
    LINKS vitrine_http_support server_services_access server_services_catalog server_services_libraries server_services_notes server_services_organization server_services_s3 server_services_vectors server_services_webhooks vitrine_test_support)
add_test(NAME integration_moves_postgres
    COMMAND ${CMAKE_SOURCE_DIR}/script/with-postgres $<TARGET_FILE:integration_moves> --gtest_brief=1 --gtest_filter=Moves.*)
set_tests_properties(integration_moves_postgres PROPERTIES LABELS integration TIMEOUT 300 COST 600 SKIP_RETURN_CODE 77)
add_dependencies(integration_moves vitrine vitrine-loader)
