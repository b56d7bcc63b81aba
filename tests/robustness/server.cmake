set(targets cursor headers json_body layers link multipart preview profile protocol range render_messages request s3_answers url)
foreach(target ${targets})
    set(source ${CMAKE_SOURCE_DIR}/tests/fuzz/${target}.cpp)
    set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS LLVMFuzzerTestOneInput=fuzz_${target})
    list(APPEND request_sources ${source})
endforeach()
vitrine_test(robustness_requests LABEL robustness TIMEOUT 300
    SOURCES requests_robustness.cpp ${CMAKE_SOURCE_DIR}/server/handlers/json_requests.cpp ${request_sources} ${CMAKE_SOURCE_DIR}/tests/fuzz/server_seeds.cpp
    LINKS api loaders_scene_checks loaders_scene_layers loaders_scene_parts server_link server_preview server_render_process server_services_catalog server_services_s3 loaders_worker_client vitrine_io vitrine_scene)
