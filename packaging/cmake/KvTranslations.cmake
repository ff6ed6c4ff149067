# SPDX-License-Identifier: MIT
# The catalogues of translations/, in each program that speaks with people, as resources below :/i18n.
# packaging/update-translations.sh brings them up to date with the sources. Included after the programs.
find_package(Qt6 6.4 REQUIRED COMPONENTS LinguistTools)

set(folder "${CMAKE_CURRENT_BINARY_DIR}/translations")
file(GLOB catalogues CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/translations/kv-persist_*.ts")
set(compiled "")
set(listed "")
foreach(catalogue IN LISTS catalogues)
    cmake_path(GET catalogue STEM name)
    add_custom_command(OUTPUT "${folder}/${name}.qm" DEPENDS "${catalogue}"
        COMMAND Qt6::lrelease -silent "${catalogue}" -qm "${folder}/${name}.qm" VERBATIM)
    list(APPEND compiled "${folder}/${name}.qm")
    string(APPEND listed "<file>${name}.qm</file>")
endforeach()
file(CONFIGURE OUTPUT "${folder}/translations.qrc" CONTENT "<RCC><qresource prefix=\"/i18n\">${listed}</qresource></RCC>\n")
add_custom_command(OUTPUT "${folder}/translations.cpp" DEPENDS ${compiled} "${folder}/translations.qrc"
    COMMAND Qt6::rcc --name translations -o "${folder}/translations.cpp" "${folder}/translations.qrc" VERBATIM)

add_library(kv_translations OBJECT "${folder}/translations.cpp")
set_target_properties(kv_translations PROPERTIES AUTOMOC OFF AUTOUIC OFF AUTORCC OFF)
foreach(program IN ITEMS kv-persist kv-persist-tray)
    if(TARGET ${program})
        target_sources(${program} PRIVATE $<TARGET_OBJECTS:kv_translations>)
    endif()
endforeach()
