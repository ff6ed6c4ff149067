# SPDX-License-Identifier: MIT
# Targets with layers. A target's include root is its own folder, so an include that its row does not name does
# not compile; kv_check_layers() stops the configuration when a library names one of the same or a higher layer.

# kv_library(NAME LAYER n SOURCES ... [USES kv-targets...] [LIBS other libraries...])
function(kv_library name)
    cmake_parse_arguments(ARG "" "LAYER" "SOURCES;USES;LIBS" ${ARGN})
    add_library(kv_${name} STATIC ${ARG_SOURCES})
    _kv_common(${name} kv_${name} "${ARG_LAYER}" "${ARG_USES}" "${ARG_LIBS}")
endfunction()

# kv_program(TARGET LAYER n SOURCES ... [USES ...] [LIBS ...])
function(kv_program name)
    cmake_parse_arguments(ARG "" "LAYER" "SOURCES;USES;LIBS" ${ARGN})
    add_executable(${name} ${ARG_SOURCES})
    _kv_common(${name} ${name} "${ARG_LAYER}" "${ARG_USES}" "${ARG_LIBS}")
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
endfunction()

macro(_kv_common name target layer uses libs)
    target_include_directories(${target} PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}")
    target_link_libraries(${target} PRIVATE kv_flags PUBLIC ${libs})
    foreach(used IN ITEMS ${uses})
        target_link_libraries(${target} PUBLIC kv_${used})
    endforeach()
    set_property(GLOBAL APPEND PROPERTY KV_NAMES ${name})
    set_property(GLOBAL PROPERTY KV_LAYER_${name} ${layer})
    set_property(GLOBAL PROPERTY KV_USES_${name} "${uses}")
endmacro()

# Stops the configuration when a target names one of the same or a higher layer, in its USES or past them.
function(kv_check_layers)
    get_property(names GLOBAL PROPERTY KV_NAMES)
    foreach(name IN LISTS names)
        get_property(layer GLOBAL PROPERTY KV_LAYER_${name})
        get_property(uses GLOBAL PROPERTY KV_USES_${name})
        foreach(used IN LISTS uses)
            get_property(used_layer GLOBAL PROPERTY KV_LAYER_${used})
            if("${used_layer}" STREQUAL "")
                message(FATAL_ERROR "${name} uses ${used}, which is no target of this project")
            endif()
            if(NOT used_layer LESS layer)
                message(FATAL_ERROR
                    "${name} (layer ${layer}) may not use ${used} (layer ${used_layer}): only lower layers")
            endif()
        endforeach()
        _kv_check_links(${name} "${uses}")
    endforeach()
endfunction()

# A kv_ target that is linked without being named in USES would pass by the check of layers.
function(_kv_check_links name uses)
    set(target kv_${name})
    if(NOT TARGET ${target})
        set(target ${name})
    endif()
    get_target_property(linked ${target} LINK_LIBRARIES)
    foreach(library IN LISTS linked)
        if(library MATCHES "^kv_(.+)$" AND NOT library STREQUAL "kv_flags" AND NOT CMAKE_MATCH_1 IN_LIST uses)
            message(FATAL_ERROR "${name} links ${library}, which its USES do not name")
        endif()
    endforeach()
endfunction()

# kv_test(NAME LABEL unit|proc|e2e|gui|dsh SOURCES ... [USES ...] [LIBS ...] [PROGRAMS ...] [TIMEOUT s]): one Qt Test
# program, one ctest. PROGRAMS are those it runs, so that building the test builds them. A test program that skips
# itself as a whole, in initTestCase(), is reported as skipped.
function(kv_test name)
    cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "SOURCES;USES;LIBS;PROGRAMS" ${ARGN})
    add_executable(${name} ${ARG_SOURCES})
    target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
    target_link_libraries(${name} PRIVATE kv_flags Qt6::Test ${ARG_LIBS})
    foreach(used IN LISTS ARG_USES)
        target_link_libraries(${name} PRIVATE kv_${used})
    endforeach()
    if(ARG_PROGRAMS)
        add_dependencies(${name} ${ARG_PROGRAMS})
    endif()
    if(CMAKE_UNITY_BUILD AND NOT ARG_LABEL STREQUAL "gui")
        _kv_test_headers(${name})
    endif()
    if(KV_PERSIST_BUILD_LABELS AND NOT ARG_LABEL MATCHES "^(${KV_PERSIST_BUILD_LABELS})$")
        set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
    add_test(NAME ${name} COMMAND ${name})
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 120)
    endif()
    set_tests_properties(${name} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT}
        SKIP_REGULAR_EXPRESSION "SKIP   : [^\n]*::initTestCase\\(\\)"
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8;LANGUAGE=;KV_PERSIST_TEST_BIN=${CMAKE_BINARY_DIR}/bin")
endfunction()

# What nearly every test includes is compiled once, where sources are compiled together anyway. Without <QtTest>, which
# is another text in each folder (QT_TESTCASE_BUILDDIR).
function(_kv_test_headers name)
    if(NOT TARGET kv_test_headers)
        file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/testheaders.cpp" CONTENT "int main() { return 0; }\n")
        add_executable(kv_test_headers "${CMAKE_BINARY_DIR}/testheaders.cpp")
        target_link_libraries(kv_test_headers PRIVATE kv_flags Qt6::Core Qt6::Network)
        set_target_properties(kv_test_headers PROPERTIES AUTOMOC OFF)
        target_compile_options(kv_test_headers PRIVATE $<$<CONFIG:Release>:-O1>)
        target_precompile_headers(kv_test_headers PRIVATE <QtCore> <QtNetwork>
            <algorithm> <array> <atomic> <chrono> <deque> <functional> <map> <memory> <mutex> <optional> <random>
            <set> <string> <thread> <unordered_map> <utility> <variant> <vector>)
    endif()
    target_link_libraries(${name} PRIVATE Qt6::Network)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    target_precompile_headers(${name} REUSE_FROM kv_test_headers)
endfunction()
