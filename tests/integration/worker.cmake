# The loader process, whole: a real one and one whose formats misbehave.
find_package(PkgConfig REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(SECCOMP REQUIRED IMPORTED_TARGET libseccomp)

vitrine_program(vitrine-loader-faulty
    SOURCES ${PROJECT_SOURCE_DIR}/loaders/worker/program/main.cpp worker/faulty_formats.cpp worker/forbidden_syscalls.cpp
    PRIVATE loaders_worker_child vitrine_test_support)

vitrine_test(integration_worker LABEL integration
    SOURCES worker/worker_confined_test.cpp worker/worker_faults_test.cpp worker/worker_limits_test.cpp worker/worker_zip_test.cpp
    LINKS vitrine_export vitrine_io loaders_worker_client server_samples vitrine_test_support PkgConfig::SECCOMP ZLIB::ZLIB)
add_dependencies(integration_worker vitrine-loader vitrine-loader-faulty)
