# Build settings of all targets: language level, warnings, sanitizers, and the three kinds of target
# (library, program, test). A target links only the libraries that it lists.

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

# Release is -O2; sanitized builds keep assertions, and line numbers for stack traces, which take a tenth of their compile
# time: script/test leaves them out in continuous integration, where stack traces then name functions only.
option(VITRINE_LINE_NUMBERS "Line numbers in the stack traces of sanitized builds" ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1")
if(VITRINE_LINE_NUMBERS)
    string(APPEND CMAKE_CXX_FLAGS_RELWITHDEBINFO " -gline-tables-only")
endif()

set(VITRINE_SANITIZE "" CACHE STRING "Value of -fsanitize=, empty for none")
# The asan preset leaves out the checks of UndefinedBehaviorSanitizer whose errors AddressSanitizer reports at the access:
# they take a third of its compile time. The presets asan-full and fuzz have them.
set(VITRINE_NO_SANITIZE "" CACHE STRING "Value of -fno-sanitize=, empty for none")
# Server folders do little per byte in tests: the asan preset compiles them without optimization, which takes half the time.
set(VITRINE_SERVER_OPTIONS "" CACHE STRING "Compile options of the server folders")
# So do folders of the renderer, except those that compute with vertices and pixels (vitrine_folder()).
set(VITRINE_RENDERER_OPTIONS "" CACHE STRING "Compile options of most renderer folders")
option(VITRINE_FUZZ "Build the libFuzzer targets" OFF)
option(VITRINE_COVERAGE "Instrument for source-based coverage" OFF)
option(VITRINE_COUNT_WORK "Count the executed code regions of the folders in VITRINE_COUNTED (tests/support/work_count.hpp)" OFF)
string(CONCAT VITRINE_COUNTED "^(api|loaders/((3ds|bvh|dae|fbx|io/text|md2|md3|md5|obj|ply|quake|stl|vrm)|(dae|fbx)/[a-z]+|io"
              "|scene/geometry|scene/preview|worker/(files|protocol)))$")

find_program(VITRINE_CCACHE ccache)
if(VITRINE_CCACHE)
    # ccache otherwise does not cache sources with precompiled headers.
    set(sloppy ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${sloppy} ${VITRINE_CCACHE})
    set(CMAKE_C_COMPILER_LAUNCHER ${VITRINE_CCACHE})
endif()

add_library(vitrine_options INTERFACE)
target_include_directories(vitrine_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(vitrine_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
                       -fno-strict-aliasing
                       $<$<CXX_COMPILER_ID:Clang>:-Wno-missing-designated-field-initializers>)
# Precompiled headers without the times of their files: otherwise those of another clone, which ccache returns, are rejected,
# and everything compiled with them misses the cache.
target_compile_options(vitrine_options INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
target_compile_definitions(vitrine_options INTERFACE GLM_FORCE_XYZW_ONLY GLM_FORCE_DEPTH_ZERO_TO_ONE)
# Sooner starts: packed relative relocations; code that runs once (.text.startup) is together, 45 page faults less for vitrine.
target_link_options(vitrine_options INTERFACE -fuse-ld=lld-19 -Wl,-z,pack-relative-relocs,-z,keep-text-section-prefix)
if(VITRINE_SANITIZE)
    target_compile_options(vitrine_options INTERFACE -fsanitize=${VITRINE_SANITIZE} -fno-omit-frame-pointer
                           -fno-sanitize-recover=all -fsanitize-ignorelist=${CMAKE_SOURCE_DIR}/tests/support/sanitizers.ignore)
    target_link_options(vitrine_options INTERFACE -fsanitize=${VITRINE_SANITIZE})
    if(VITRINE_SANITIZE MATCHES "address") # what is decided at run time otherwise, with the same result and two paths in each function
        target_compile_options(vitrine_options INTERFACE -fsanitize-address-use-after-return=always)
    endif()
    # Inline functions that the compiler does not inline are linked from the first object, a test compiled without
    # optimization: GLM's operators were half of the time of the robustness tests.
    target_compile_definitions(vitrine_options INTERFACE GLM_FORCE_INLINE)
    if(VITRINE_NO_SANITIZE)
        target_compile_options(vitrine_options INTERFACE -fno-sanitize=${VITRINE_NO_SANITIZE})
    endif()
endif()
if(VITRINE_FUZZ)
    target_compile_options(vitrine_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(VITRINE_COVERAGE)
    target_compile_options(vitrine_options INTERFACE -fprofile-instr-generate -fcoverage-mapping)
    target_link_options(vitrine_options INTERFACE -fprofile-instr-generate)
    target_compile_definitions(vitrine_options INTERFACE VITRINE_COVERAGE)
endif()

# Libraries that are linked from their archives, where they are installed: binding the symbols of shared libraries took two
# thirds of the time in which vitrine-loader loads a small model.
option(VITRINE_LINK_ARCHIVES "Link decoders and other third-party libraries statically where possible" ON)
find_package(fmt REQUIRED)
add_library(vitrine::fmt INTERFACE IMPORTED GLOBAL)
if(VITRINE_LINK_ARCHIVES) # Debian has no archive of fmt; its headers contain all of it, compiled once
    add_library(vitrine_fmt STATIC ${CMAKE_SOURCE_DIR}/loaders/base/fmt.cpp)
    target_link_libraries(vitrine_fmt PUBLIC vitrine_options)
    target_compile_definitions(vitrine_fmt PUBLIC FMT_SHARED) # as fmt::fmt, so that ccache finds what was compiled with it
    target_link_libraries(vitrine::fmt INTERFACE vitrine_fmt)
else()
    target_link_libraries(vitrine::fmt INTERFACE fmt::fmt)
endif()

# Headers that most sources include are precompiled once for all libraries and once for all tests, which halves the build
# time. A source must still include every header that it uses: the fuzz preset does not precompile.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cpp CONTENT "")
set(VITRINE_COMMON_HEADERS <algorithm> <array> <cmath> <cstdint> <cstring> <expected> <functional> <map> <memory>
    <optional> <ranges> <span> <string> <string_view> <unordered_map> <utility> <vector>
    <fmt/format.h> <glm/glm.hpp> <glm/gtc/quaternion.hpp>)

find_package(GTest REQUIRED)
add_library(vitrine_library_headers OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
target_link_libraries(vitrine_library_headers PRIVATE vitrine_options vitrine::fmt)
target_precompile_headers(vitrine_library_headers PRIVATE ${VITRINE_COMMON_HEADERS})

# Server folders also precompile Asio, Beast, Boost.JSON and spdlog, renderer folders Vulkan.
find_package(spdlog REQUIRED)
add_library(vitrine_server_options INTERFACE)
target_link_libraries(vitrine_server_options INTERFACE vitrine_options vitrine::fmt vitrine::spdlog)
# The compiled parts of Asio and Beast, which everything that sees their headers links.
add_library(vitrine_asio STATIC ${CMAKE_SOURCE_DIR}/server/net/asio.cpp)
target_link_libraries(vitrine_asio PUBLIC vitrine_options)
target_compile_options(vitrine_asio PRIVATE ${VITRINE_SERVER_OPTIONS})
target_compile_definitions(vitrine_asio PUBLIC BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION
                           BOOST_ASIO_NO_DEPRECATED)
target_link_libraries(vitrine_server_options INTERFACE vitrine_asio)
add_library(vitrine_server_headers OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
target_link_libraries(vitrine_server_headers PRIVATE vitrine_server_options)
target_compile_options(vitrine_server_headers PRIVATE ${VITRINE_SERVER_OPTIONS})
set(VITRINE_SERVER_HEADERS ${VITRINE_COMMON_HEADERS} <atomic> <charconv> <chrono> <condition_variable> <deque> <filesystem>
    <fstream> <future> <mutex> <set> <stdexcept> <stop_token> <thread> <variant>
    <boost/asio.hpp> <boost/beast.hpp> <boost/json.hpp> <spdlog/spdlog.h>)
target_precompile_headers(vitrine_server_headers PRIVATE ${VITRINE_SERVER_HEADERS})

add_library(vitrine_renderer_headers OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
target_link_libraries(vitrine_renderer_headers PRIVATE vitrine_options vitrine::fmt)
target_compile_options(vitrine_renderer_headers PRIVATE ${VITRINE_RENDERER_OPTIONS})
target_precompile_headers(vitrine_renderer_headers PRIVATE ${VITRINE_COMMON_HEADERS} <chrono> <filesystem> <stdexcept>
    <glm/gtc/matrix_transform.hpp> ${CMAKE_SOURCE_DIR}/vk_renderer/gpu/vulkan.hpp)

# The sources of a folder or of a test program are compiled in batches, which takes a half to a third of the time. The dev
# and fuzz presets compile each source alone, as clang-tidy reads it. A source with compile options of its own is in no
# batch. Optimized server folders have smaller batches: one changed handler is compiled and linked in less than 10 s.
option(VITRINE_UNITY "Compile the sources of a folder or a test program in batches" ON)
set(VITRINE_NO_UNITY "" CACHE STRING "Pattern of folders whose sources are compiled alone")
set(VITRINE_UNITY_BATCH 16)
set(VITRINE_UNITY_SERVER_BATCH 8)

# vitrine_batches(TARGET SIZE): compiles the sources of a target in batches.
function(vitrine_batches target size)
    if(VITRINE_UNITY)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
    endif()
endfunction()

# Programs have their own, because they are compiled with -fPIE instead of -fPIC. Tests are not optimized: their own loops
# are short, and optimizing the expansions of GoogleTest's macros took half of the build time.
set(VITRINE_TEST_OPTIONS -O0)
# Tests of the server see the headers of its folders, and SOCI.
foreach(headers test server_test)
    add_library(vitrine_${headers}_headers OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
    set_target_properties(vitrine_${headers}_headers PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(vitrine_${headers}_headers PRIVATE -fPIE ${VITRINE_TEST_OPTIONS})
endforeach()
target_link_libraries(vitrine_test_headers PRIVATE vitrine_options vitrine::fmt GTest::gmock)
target_precompile_headers(vitrine_test_headers PRIVATE ${VITRINE_COMMON_HEADERS} <filesystem> <fstream> <gmock/gmock.h>)
target_link_libraries(vitrine_server_test_headers PRIVATE vitrine_server_options GTest::gmock)
target_precompile_headers(vitrine_server_test_headers PRIVATE ${VITRINE_SERVER_HEADERS} <soci/soci.h> <gmock/gmock.h>)

# vitrine_folder(PATH [USES folders...] [PACKAGES targets...]): a library of the sources of one folder (cmake/folders.cmake),
# named after its path. USES may name only folders declared before, so that no cycle can be written. All headers of the
# tree are visible to each folder; tests/architecture checks that a folder includes only those that it uses.
function(vitrine_folder path)
    cmake_parse_arguments(arg "" "" "USES;PACKAGES" ${ARGN})
    string(REPLACE "/" "_" name ${path})
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${path}/*.cpp)
    list(FILTER sources EXCLUDE REGEX "/(main|make_[a-z_]+|asio|fmt|spdlog)[.]cpp$") # programs; vitrine_asio and others
    list(TRANSFORM arg_USES REPLACE "/" "_")
    foreach(used ${arg_USES})
        if(NOT TARGET ${used})
            message(FATAL_ERROR "cmake/folders.cmake: ${path} uses ${used}, which no row before it declares")
        endif()
    endforeach()
    set(headers library)
    if(path MATCHES "^server(/|$)" AND NOT path STREQUAL "server/samples") # which computes, and uses none of them
        set(headers server)
    elseif(path MATCHES "^vk_renderer(/|$)" AND NOT path MATCHES "/(encode|mesh)$") # these are without Vulkan
        set(headers renderer)
    endif()
    vitrine_library(${name} HEADERS ${headers} SOURCES ${sources} PUBLIC ${arg_USES} ${arg_PACKAGES})
    if(VITRINE_COUNT_WORK AND path MATCHES "${VITRINE_COUNTED}")
        target_compile_options(${name} PRIVATE -fprofile-instr-generate "SHELL:-mllvm -system-headers-coverage")
    endif()
    if(VITRINE_NO_UNITY AND path MATCHES "${VITRINE_NO_UNITY}")
        set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
    elseif(headers STREQUAL "server" AND NOT VITRINE_SANITIZE)
        vitrine_batches(${name} ${VITRINE_UNITY_SERVER_BATCH})
    endif()
endfunction()

# vitrine_library(NAME [HEADERS library|server|renderer] SOURCES ... [PUBLIC targets...] [PRIVATE targets...])
function(vitrine_library name)
    cmake_parse_arguments(arg "" "HEADERS" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
    if(NOT arg_HEADERS)
        set(arg_HEADERS library)
    endif()
    add_library(${name} STATIC ${arg_SOURCES})
    target_precompile_headers(${name} REUSE_FROM vitrine_${arg_HEADERS}_headers)
    vitrine_batches(${name} ${VITRINE_UNITY_BATCH})
    target_link_libraries(${name} PUBLIC vitrine_options ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
    if(arg_HEADERS STREQUAL "server")
        target_link_libraries(${name} PUBLIC vitrine_server_options)
        target_compile_options(${name} PRIVATE ${VITRINE_SERVER_OPTIONS})
    elseif(arg_HEADERS STREQUAL "renderer")
        target_compile_options(${name} PRIVATE ${VITRINE_RENDERER_OPTIONS})
    endif()
endfunction()

# vitrine_program(NAME SOURCES ... [PRIVATE targets...])
function(vitrine_program name)
    cmake_parse_arguments(arg "" "" "SOURCES;PRIVATE" ${ARGN})
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE vitrine_options ${arg_PRIVATE})
endfunction()

# vitrine_link_runtime(PROGRAM): links the C++ library into a program that links no other shared library that needs it. The
# program starts in half the time. Libraries that it loads while it runs may bring the shared one: nothing of it is exported.
function(vitrine_link_runtime program)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libstdc++.a OUTPUT_VARIABLE archive
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(VITRINE_LINK_ARCHIVES AND IS_ABSOLUTE "${archive}" AND NOT VITRINE_SANITIZE AND NOT VITRINE_COVERAGE AND NOT VITRINE_FUZZ)
        target_link_options(${program} PRIVATE -static-libstdc++ -static-libgcc)
    endif()
endfunction()

# Suppressions of the sanitizers for known reports in third-party libraries. Stack traces are read by addr2line, which comes
# with every compiler; the options of the leak check set it for all of AddressSanitizer.
set(VITRINE_TEST_PROPERTIES "")
if(VITRINE_SANITIZE MATCHES "address")
    set(VITRINE_TEST_PROPERTIES ENVIRONMENT
        LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/leaks.supp:print_suppressions=0:external_symbolizer_path=/usr/bin/addr2line)
elseif(VITRINE_SANITIZE MATCHES "thread")
    set(VITRINE_TEST_PROPERTIES ENVIRONMENT TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/races.supp:external_symbolizer_path=/usr/bin/addr2line)
endif()

# Tests that script/test builds and runs only under the sanitizers: compiled twice they would take half of the build time.
add_custom_target(sanitized_tests)
# Targets of script/gpu-check.
add_custom_target(gpu_tests)

# ctest reports a program as skipped if GoogleTest ran to its end and skipped all cases; script/test_report.mjs finds other
# skipped cases. (Matching only "[  SKIPPED ]" would hide failures in the same program.)
set(VITRINE_ALL_SKIPPED "\\[  PASSED  \\] 0 tests\\.\n(\\[  SKIPPED \\][^\n]*\n)+$")

# vitrine_test(NAME LABEL unit|robustness|corpus|gpu|integration [WHOLE] [SANITIZED|NOT_SANITIZED] [TIMEOUT s]
#              [SHARDS n] SOURCES ... [LINKS targets...])
# Each GoogleTest case becomes a ctest case; WHOLE makes one ctest case of the program, for tests that share a
# costly set-up (a Vulkan device, a server). Unit programs are always whole, because a sanitized process takes longer
# to start than most of their cases. SHARDS makes n ctest cases NAME_1 ... NAME_n of the program, of which each runs
# every n-th case: with n parameters, the cases of one parameter. script/test_report.mjs counts the cases inside.
# script/test runs unit and robustness tests under the sanitizers and all others on the release build; SANITIZED and
# NOT_SANITIZED are the exceptions. Programs with the longest TIMEOUT (default 300 for whole programs, 120 for a case)
# start first, so that no long one runs alone at the end; tests that are no vitrine_test() say COST instead.
function(vitrine_test name)
    cmake_parse_arguments(arg "WHOLE;SANITIZED;NOT_SANITIZED" "LABEL;TIMEOUT;SHARDS" "SOURCES;LINKS" ${ARGN})
    if(arg_LABEL STREQUAL "unit")
        set(arg_WHOLE TRUE)
    endif()
    if(NOT arg_TIMEOUT AND arg_WHOLE)
        set(arg_TIMEOUT 300)
    elseif(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    add_executable(${name} ${arg_SOURCES})
    set(headers test)
    set(server_folders ${arg_LINKS})
    list(FILTER server_folders INCLUDE REGEX "^server(_|$)")
    list(REMOVE_ITEM server_folders server_samples)
    if(server_folders)
        set(headers server_test)
    endif()
    target_precompile_headers(${name} REUSE_FROM vitrine_${headers}_headers)
    target_compile_options(${name} PRIVATE ${VITRINE_TEST_OPTIONS})
    vitrine_batches(${name} ${VITRINE_UNITY_BATCH})
    target_link_libraries(${name} PRIVATE vitrine_options vitrine_test_paths ${arg_LINKS} GTest::gmock GTest::gtest_main)
    set(label ${arg_LABEL})
    if(arg_SANITIZED OR (arg_LABEL MATCHES "unit|robustness" AND NOT arg_NOT_SANITIZED))
        add_dependencies(sanitized_tests ${name})
        set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
        string(APPEND label -sanitized) # ctest matches parts of labels: -L unit, -L sanitized
    elseif(arg_LABEL STREQUAL "gpu")
        add_dependencies(gpu_tests ${name})
    endif()
    if(arg_SHARDS)
        foreach(shard RANGE 1 ${arg_SHARDS})
            math(EXPR index "${shard} - 1")
            add_test(NAME ${name}_${shard} COMMAND ${name})
            set_tests_properties(${name}_${shard} PROPERTIES LABELS ${label} TIMEOUT ${arg_TIMEOUT} COST ${arg_TIMEOUT}
                                 ${VITRINE_TEST_PROPERTIES} SKIP_REGULAR_EXPRESSION "${VITRINE_ALL_SKIPPED}")
            set_property(TEST ${name}_${shard} APPEND PROPERTY
                         ENVIRONMENT GTEST_TOTAL_SHARDS=${arg_SHARDS} GTEST_SHARD_INDEX=${index})
        endforeach()
    elseif(arg_WHOLE)
        add_test(NAME ${name} COMMAND ${name})
        set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT ${arg_TIMEOUT} COST ${arg_TIMEOUT}
                             ${VITRINE_TEST_PROPERTIES}
                             SKIP_REGULAR_EXPRESSION "${VITRINE_ALL_SKIPPED}")
    else()
        gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${arg_LABEL}/"
                             PROPERTIES LABELS ${label} TIMEOUT ${arg_TIMEOUT} COST ${arg_TIMEOUT}
                             ${VITRINE_TEST_PROPERTIES}
                             SKIP_REGULAR_EXPRESSION "${VITRINE_ALL_SKIPPED}")
    endif()
endfunction()
