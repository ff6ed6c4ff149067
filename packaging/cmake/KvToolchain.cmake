# SPDX-License-Identifier: MIT
# All compiler flags of the project, in one INTERFACE target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_AUTOMOC ON)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
find_program(KV_CCACHE ccache)
if(KV_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${KV_CCACHE}")
endif()

add_library(kv_flags INTERFACE)
target_compile_options(kv_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Woverloaded-virtual -Wnon-virtual-dtor
    -Werror=switch $<$<BOOL:${KV_PERSIST_WERROR}>:-Werror>
    $<$<BOOL:${CMAKE_UNITY_BUILD}>:-Wno-subobject-linkage>) # about headers; there a source is included, too
target_compile_definitions(kv_flags INTERFACE
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_CONTEXTLESS_CONNECT QT_STRICT_ITERATORS QT_NO_FOREACH
    QT_NO_KEYWORDS QT_NO_URL_CAST_FROM_STRING QT_DISABLE_DEPRECATED_BEFORE=0x060400
    KV_PERSIST_VERSION="${PROJECT_VERSION}")
if(CMAKE_BUILD_TYPE MATCHES "Release|RelWithDebInfo|MinSizeRel" AND NOT KV_PERSIST_SANITIZE)
    target_compile_options(kv_flags INTERFACE -fstack-protector-strong -fstack-clash-protection
        $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2> -fPIE)
    target_link_options(kv_flags INTERFACE -Wl,-z,relro -Wl,-z,now)
    set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()
if(KV_PERSIST_SANITIZE)
    target_compile_options(kv_flags INTERFACE -fsanitize=${KV_PERSIST_SANITIZE} -fno-sanitize-recover=all
        -fno-omit-frame-pointer)
    target_link_options(kv_flags INTERFACE -fsanitize=${KV_PERSIST_SANITIZE})
endif()
