# Tests that run in Node.js.

# vitrine_node_test(NAME LABELS labels... FILE f [PLAIN] [PROGRAM] [BROWSER 1|2] [WITH script] [TIMEOUT s] [COST n]
#                   [ENVIRONMENT settings...])
# One ctest case of node:test, or of a plain script that fails by its exit status; it runs in the folder of the CMake file.
# PROGRAM: vitrine, in VITRINE_PROGRAM. BROWSER: one of the cases with the same number runs at a time; the numbers divide
# them into two parts that take equally long. WITH: script/with-... that provides services and exits with 77 where they are
# not installed.
function(vitrine_node_test name)
    cmake_parse_arguments(arg "PLAIN;PROGRAM" "FILE;WITH;TIMEOUT;COST;BROWSER" "LABELS;ENVIRONMENT" ${ARGN})
    find_program(VITRINE_NODE NAMES node nodejs REQUIRED)
    set(command ${VITRINE_NODE})
    if(arg_WITH)
        list(PREPEND command ${CMAKE_SOURCE_DIR}/script/${arg_WITH})
    endif()
    if(NOT arg_PLAIN)
        list(APPEND command --test)
    endif()
    if(arg_PROGRAM)
        list(APPEND arg_ENVIRONMENT VITRINE_PROGRAM=$<TARGET_FILE:vitrine>)
    endif()
    add_test(NAME ${name} COMMAND ${command} ${arg_FILE} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${arg_ENVIRONMENT}")
    if(arg_COST)
        set_tests_properties(${name} PROPERTIES COST ${arg_COST})
    endif()
    if(arg_BROWSER)
        set_tests_properties(${name} PROPERTIES RESOURCE_LOCK browser_${arg_BROWSER})
    endif()
    if(arg_WITH)
        set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
    endif()
endfunction()
