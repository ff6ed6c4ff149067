# SPDX-License-Identifier: MIT
# What `cmake --install` puts where, and the Debian package that `cpack` makes of it (packaging/test-deb.sh tries it).
# Included last from the top: it asks which targets there are.
include(GNUInstallDirs)
set(KV_USER_UNIT_DIR "lib/systemd/user" CACHE STRING "Where systemd looks for units of users, below the prefix")
set(desktop "${CMAKE_CURRENT_SOURCE_DIR}/packaging/desktop")
set(icons "${CMAKE_CURRENT_SOURCE_DIR}/resources/icons")

# kv_install_gzipped(SOURCE NAME FOLDER); without gzip, nothing.
find_program(KV_GZIP gzip)
function(kv_install_gzipped source name folder)
    if(KV_GZIP)
        set(packed "${CMAKE_CURRENT_BINARY_DIR}/gzipped/${name}")
        file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/gzipped")
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
        execute_process(COMMAND "${KV_GZIP}" -9nc "${CMAKE_CURRENT_SOURCE_DIR}/${source}"
            OUTPUT_FILE "${packed}" COMMAND_ERROR_IS_FATAL ANY)
        install(FILES "${packed}" DESTINATION "${folder}")
    endif()
endfunction()

install(TARGETS kv-persistd kv-persist RUNTIME)
configure_file(packaging/systemd/kv-persist.service.in kv-persist.service @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/kv-persist.service" DESTINATION "${KV_USER_UNIT_DIR}")
install(FILES README.md src/protocol/PROTOCOL.md src/protocol/status.schema.json DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES packaging/grafana/README.md packaging/grafana/kv-persist.json packaging/prometheus/kv-persist.rules.yml
    DESTINATION "${CMAKE_INSTALL_DOCDIR}/monitoring")
install(DIRECTORY packaging/examples/ DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples" FILES_MATCHING
    PATTERN "*.py" PATTERN "*.mjs" PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY packaging/dsh-plugin DESTINATION "${CMAKE_INSTALL_DATADIR}/kv-persist" FILES_MATCHING
    PATTERN "*.js" PATTERN "*.json" PATTERN "*.yml" PATTERN "*.md"
    PATTERN "test" EXCLUDE PATTERN "node_modules" EXCLUDE)
if(TARGET kv-persist-tray)
    install(TARGETS kv-persist-tray RUNTIME)
    install(FILES "${desktop}/kv-persist-tray.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
    install(FILES "${desktop}/kv-persist-tray.autostart.desktop" DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples")
    install(FILES "${desktop}/io.github.kv_persist.kv_persist.metainfo.xml"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
    install(FILES "${icons}/kv-persist.svg" DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
    install(FILES "${icons}/kv-persist-symbolic.svg"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/symbolic/apps")
endif()

# Documents as Debian's policy wants them; a manual page that says where the rest is, for each program.
install(FILES packaging/debian/copyright DESTINATION "${CMAKE_INSTALL_DOCDIR}")
kv_install_gzipped(packaging/debian/changelog changelog.Debian.gz "${CMAKE_INSTALL_DOCDIR}")
kv_install_gzipped(packaging/man/kv-persistd.1 kv-persistd.1.gz "${CMAKE_INSTALL_MANDIR}/man1")
kv_install_gzipped(packaging/man/kv-persist.1 kv-persist.1.gz "${CMAKE_INSTALL_MANDIR}/man1")
if(TARGET kv-persist-tray)
    kv_install_gzipped(packaging/man/kv-persist-tray.1 kv-persist-tray.1.gz "${CMAKE_INSTALL_MANDIR}/man1")
endif()

# One package: daemon, command line and tray are one program in three processes, speak one protocol version, and the tray
# is the smallest part of it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME kv-persist)
set(CPACK_PACKAGE_VENDOR "the kv-persist authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "keeps sessions of local LLM servers warm")
set(CPACK_PACKAGE_DESCRIPTION
"When several conversations share a llama-server, or when the server restarts,
the prompt of a long conversation has to be processed again, which takes
minutes. kv-persist saves the KV cache of a conversation before another one
takes its slot, and restores it before its next request.
.
This package holds the daemon, with a systemd unit for users, the command
line, the tray program and the plugin for the DeepSeek Harness.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_BINARY_DIR}/package")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
# Debian wants an address; that of the reserved domain reaches nobody.
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "kv-persist maintainers <maintainers@kv-persist.invalid>")
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS libqt6sql6-sqlite) # a plug-in: no program names it
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "qt6-wayland, libqt6svg6")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
include(CPack)
