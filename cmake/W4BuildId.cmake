# The build id: git hash (with + and a hash of the changes where the tree has any), compiler and flags. Regenerated at
# build time, rewritten only when it changes, so that nothing is rebuilt needlessly.
set(W4_BUILD_ID_DIR ${CMAKE_BINARY_DIR}/generated)
set(W4_BUILD_ID_FLAGS "${CMAKE_BUILD_TYPE} ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${W4_SANITIZE}")
string(STRIP "${W4_BUILD_ID_FLAGS}" W4_BUILD_ID_FLAGS)
add_custom_target(w4_build_id_header
  COMMAND ${CMAKE_COMMAND} -DOUT=${W4_BUILD_ID_DIR}/w4/build_id.h -DSOURCE=${CMAKE_SOURCE_DIR}
          -DVERSION=${PROJECT_VERSION} -DFLAGS=${W4_BUILD_ID_FLAGS}
          -P ${CMAKE_SOURCE_DIR}/cmake/WriteBuildId.cmake
  BYPRODUCTS ${W4_BUILD_ID_DIR}/w4/build_id.h
  COMMENT "Build id" VERBATIM)
add_library(w4_build_id INTERFACE)
target_include_directories(w4_build_id INTERFACE ${W4_BUILD_ID_DIR})
add_dependencies(w4_build_id w4_build_id_header)
