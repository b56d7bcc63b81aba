find_package(SQLite3 REQUIRED)
vitrine_program(durability_child
    SOURCES durability_child.cpp
    PRIVATE server_services vitrine_test_support GTest::gtest vitrine::fmt)
vitrine_test(integration_durability LABEL integration WHOLE TIMEOUT 300
    SOURCES durability_test.cpp
    LINKS server_services vitrine_test_support SQLite::SQLite3)
add_dependencies(integration_durability durability_child vitrine-loader)
