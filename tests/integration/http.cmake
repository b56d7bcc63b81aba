find_package(SQLite3 REQUIRED)
# The real server on a loopback port, each program with its own.
vitrine_library(vitrine_http_support
    SOURCES http_support.cpp server_process.cpp socket.cpp s3/stored_files.cpp
    PUBLIC api loaders_images server_samples vitrine::fmt ZLIB::ZLIB)
target_link_libraries(vitrine_http_support PRIVATE vitrine_test_paths)
vitrine_test(integration_http LABEL integration WHOLE TIMEOUT 300
    SOURCES http/attach_test.cpp http_cached_responses_test.cpp http_forms_test.cpp http_clips_test.cpp http_contract_test.cpp http/layers_test.cpp http_library_test.cpp http/lineup_test.cpp http/motion_lineup_test.cpp http/similar_test.cpp
            http/looks_test.cpp http/mixamo_test.cpp http/motion_test.cpp http/posted_models_test.cpp http_reads_test.cpp
            http/sheets_test.cpp http/variants_test.cpp http_wire_test.cpp
    LINKS vitrine_http_support loaders_export_bvh loaders_export_fbx loaders_export_gltf vitrine_test_support)
vitrine_test(integration_preview LABEL integration WHOLE TIMEOUT 300
    SOURCES preview_clips_test.cpp preview_test.cpp preview_framing_test.cpp http/preview_rows_test.cpp preview_sharing_test.cpp events_test.cpp LINKS vitrine_http_support)
vitrine_test(integration_stop LABEL integration WHOLE TIMEOUT 300 SOURCES transport/service_manager_test.cpp hung_database_test.cpp stop_test.cpp refresh_test.cpp shader_cache_test.cpp
    LINKS vitrine_http_support server_services)
# With a PostgreSQL of its own, which it stops and lets go on.
add_test(NAME integration_hung_database
    COMMAND ${CMAKE_SOURCE_DIR}/script/with-postgres $<TARGET_FILE:integration_stop> --gtest_brief=1 --gtest_filter=HungDatabase.*)
set_tests_properties(integration_hung_database PROPERTIES LABELS integration TIMEOUT 300 SKIP_RETURN_CODE 77
    ENVIRONMENT VITRINE_TEST_MAY_STOP_DATABASE=1)
vitrine_test(integration_limits LABEL integration WHOLE TIMEOUT 300 SOURCES http_limits_test.cpp http/rates_test.cpp slow_readers_test.cpp slow_requests_test.cpp
    LINKS vitrine_http_support)
vitrine_test(integration_watch LABEL integration WHOLE TIMEOUT 300 SOURCES access_test.cpp http/organization_test.cpp http/versions_test.cpp watch_test.cpp import_test.cpp
    LINKS vitrine_http_support vitrine_test_support SQLite::SQLite3)
# Uploads, imports, lists and events with the catalog on PostgreSQL and the files in an object store; all of them:
# script/with-stores ctest --test-dir build/release -L integration
add_test(NAME integration_watch_stores
    COMMAND ${CMAKE_SOURCE_DIR}/script/with-stores $<TARGET_FILE:integration_watch> --gtest_brief=1)
set_tests_properties(integration_watch_stores PROPERTIES LABELS integration TIMEOUT 600 COST 600 SKIP_RETURN_CODE 77)
# All parts of the server once.
vitrine_test(integration_lifecycle LABEL integration WHOLE SANITIZED TIMEOUT 300 SOURCES lifecycle_test.cpp
    LINKS vitrine_http_support)
# The server over a Vulkan that fails.
vitrine_program(vitrine-faulty SOURCES faulty_server.cpp PRIVATE vitrine_faulty_vulkan server_cli)
vitrine_test(integration_device_loss LABEL integration WHOLE TIMEOUT 300 SOURCES device_loss_test.cpp LINKS vitrine_http_support)
add_dependencies(integration_device_loss vitrine-faulty vitrine-loader)
# Rendering in a process of its own, and one that lies to the server.
vitrine_program(vitrine-hostile-renderer SOURCES hostile_renderer.cpp PRIVATE server_render_process)
vitrine_test(integration_render_process LABEL integration WHOLE TIMEOUT 300 SOURCES render_process_test.cpp process_device_test.cpp
    LINKS vitrine_http_support server_services vitrine_test_support)
add_dependencies(integration_render_process vitrine vitrine-faulty vitrine-hostile-renderer vitrine-loader)
foreach(program http lifecycle limits preview stop watch)
    add_dependencies(integration_${program} vitrine)
endforeach()
# The server and its parts over OpenStack Swift.
vitrine_test(integration_s3 LABEL integration WHOLE TIMEOUT 600
    SOURCES s3/blob_store_test.cpp s3/client_test.cpp s3/collection_race_test.cpp s3/derived_test.cpp
            s3/hand_over_test.cpp s3/object_store.cpp s3/ownership_test.cpp s3/ranges_test.cpp s3/role_images_test.cpp s3/roles_test.cpp s3/server_test.cpp s3/shared_limits_test.cpp s3/tls_test.cpp s3/two_servers_test.cpp
            s3/worker_previews_test.cpp
    LINKS vitrine_http_support server_services_database server_services_s3 vitrine_test_support)
add_test(NAME integration_two_servers
    COMMAND ${CMAKE_SOURCE_DIR}/script/with-postgres $<TARGET_FILE:integration_s3> --gtest_brief=1 --gtest_filter=TwoServers.*:CollectionRace.*:SharedLimits.*)
set_tests_properties(integration_two_servers PROPERTIES LABELS integration TIMEOUT 300 COST 600 SKIP_RETURN_CODE 77)
add_test(NAME integration_roles
    COMMAND ${CMAKE_SOURCE_DIR}/script/with-postgres $<TARGET_FILE:integration_s3> --gtest_brief=1 --gtest_filter=Roles*)
set_tests_properties(integration_roles PROPERTIES LABELS integration TIMEOUT 600 COST 600 SKIP_RETURN_CODE 77)
add_test(NAME integration_worker_previews
    COMMAND ${CMAKE_SOURCE_DIR}/script/with-postgres $<TARGET_FILE:integration_s3> --gtest_brief=1 --gtest_filter=WorkerPreviews.*)
set_tests_properties(integration_worker_previews PROPERTIES LABELS integration TIMEOUT 300 COST 600 SKIP_RETURN_CODE 77)
add_dependencies(integration_s3 vitrine vitrine-loader)
