# What `cmake --install` puts where, and the same layout in the build tree: bin/, lib/,
# include/w4check/, lib/cmake/w4check/. A room adds its share where it makes it:
#   w4_install_headers(module.h …)   as <w4check/module.h>
#   w4_install_target(target NAME)   as the imported target w4check::NAME: a program, a shared
#                                    library, or an interface
# One layout on every system, the build tree included.
set(CMAKE_INSTALL_LIBDIR lib CACHE PATH "Where libraries go, below the prefix")
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(W4_INSTALL_CMAKE ${CMAKE_INSTALL_LIBDIR}/cmake/w4check)
# Beside what is installed, and where the libraries that it links were found.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
# Programs of the build tree look beside themselves too, so that a copy of them does (ci/bundle.sh).
set(CMAKE_BUILD_RPATH "$ORIGIN;$ORIGIN/../lib")
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)

# Installed headers stand side by side: "kernels/module.h" of this tree is "module.h" there.
function(w4_install_headers)
  foreach(header IN LISTS ARGN)
    get_filename_component(name ${header} NAME)
    get_filename_component(from ${header} ABSOLUTE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${from})
    file(READ ${from} text)
    string(REGEX REPLACE "#include \"(kernels|intake|intake/hip)/([a-z0-9_]+[.]h)\"" "#include \"\\2\"" text "${text}")
    set(to ${CMAKE_BINARY_DIR}/include/w4check/${name})
    set(old "")
    if(EXISTS ${to})
      file(READ ${to} old)
    endif()
    if(NOT old STREQUAL text)
      file(WRITE ${to} "${text}")
    endif()
    install(FILES ${to} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/w4check)
  endforeach()
endfunction()

function(w4_install_target target name)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS ${target} EXPORT w4check
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endfunction()

install(EXPORT w4check NAMESPACE w4check:: FILE w4checkTargets.cmake
  DESTINATION ${W4_INSTALL_CMAKE})
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/w4checkConfig.cmake.in
  ${CMAKE_BINARY_DIR}/${W4_INSTALL_CMAKE}/w4checkConfig.cmake
  INSTALL_DESTINATION ${W4_INSTALL_CMAKE})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/${W4_INSTALL_CMAKE}/w4checkConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_BINARY_DIR}/${W4_INSTALL_CMAKE}/w4checkConfig.cmake
  ${CMAKE_BINARY_DIR}/${W4_INSTALL_CMAKE}/w4checkConfigVersion.cmake
  ${CMAKE_SOURCE_DIR}/cmake/w4checkModule.cmake
  DESTINATION ${W4_INSTALL_CMAKE})
