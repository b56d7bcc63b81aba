set(targets cursor headers json_body layers link multipart preview profile protocol range render_messages request s3_answers url)
# In one source, which takes a third of the time of one each.
foreach(target ${targets})
    string(APPEND request_sources "#define LLVMFuzzerTestOneInput fuzz_${target}\n"
        "extern \"C\" int fuzz_${target}(const std::uint8_t* data, std::size_t size);\n"
        "#include \"tests/fuzz/${target}.cpp\"\n#undef LLVMFuzzerTestOneInput\n")
endforeach()
file(CONFIGURE OUTPUT request_targets.cpp CONTENT "#include <cstddef>\n#include <cstdint>\n${request_sources}" @ONLY)
vitrine_test(robustness_requests LABEL robustness TIMEOUT 300
    SOURCES requests_robustness.cpp ${CMAKE_SOURCE_DIR}/server/handlers/json_requests.cpp ${CMAKE_CURRENT_BINARY_DIR}/request_targets.cpp ${CMAKE_SOURCE_DIR}/tests/fuzz/server_seeds.cpp
    LINKS api loaders_scene_checks loaders_scene_layers loaders_scene_parts server_link server_preview server_render_process server_services_catalog server_services_s3 loaders_worker_client vitrine_io vitrine_scene)
