# Libraries of folders: the real program, its commands, and files that are moved and removed.
vitrine_test(integration_libraries LABEL integration WHOLE TIMEOUT 300
    SOURCES libraries/libraries_test.cpp
    LINKS vitrine_http_support vitrine_test_support)
add_dependencies(integration_libraries vitrine)
