# Compile options shared by every room, and the function that declares a room.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# dev keeps assertions and enough debug information for backtraces; -g would double build time.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -gline-tables-only")
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -gline-tables-only")

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "w4check is built with clang 19 (use a preset: cmake --preset dev), got ${CMAKE_CXX_COMPILER_ID}")
endif()

find_program(W4_CCACHE ccache)
if(W4_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${W4_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${W4_CCACHE})
endif()

find_package(fmt REQUIRED)
find_package(Threads REQUIRED)
find_package(LLVM 19.1 REQUIRED CONFIG)
# libLLVM.so and what it needs are 190 MB, the parts that are used 3 MB of a program.
option(W4_STATIC_LLVM "Link the used parts of LLVM into the programs, which then travel (ci/bundle.sh)" OFF)
add_library(w4_llvm INTERFACE)
if(W4_STATIC_LLVM)
  # Where the library is there without its development package.
  if(NOT TARGET zstd::libzstd_shared)
    find_library(W4_ZSTD NAMES zstd libzstd.so.1 REQUIRED)
    add_library(zstd::libzstd_shared SHARED IMPORTED)
    set_target_properties(zstd::libzstd_shared PROPERTIES IMPORTED_LOCATION ${W4_ZSTD})
  endif()
  llvm_map_components_to_libnames(w4_llvm_parts
    AMDGPUAsmParser AMDGPUDisassembler AMDGPUDesc AMDGPUInfo DebugInfoDWARF Object MC MCParser Demangle Support)
  target_link_libraries(w4_llvm INTERFACE ${w4_llvm_parts})
  target_link_options(w4_llvm INTERFACE -Wl,--as-needed -Wl,--gc-sections)
else()
  target_link_libraries(w4_llvm INTERFACE LLVM)
endif()

add_library(w4_options INTERFACE)
# -march: the emulator's lane loops are written for AVX2. -ffp-contract=off and the excess
# precision switch: arithmetic is what the source says, also in _Float16.
target_compile_options(w4_options INTERFACE
  -march=x86-64-v3 -ffp-contract=off
  -Xclang -ffloat16-excess-precision=none
  -Wall -Wextra -Wpedantic -Wshadow -Wno-unused-parameter -Werror)
target_include_directories(w4_options INTERFACE ${CMAKE_SOURCE_DIR})
if(W4_SANITIZE)
  target_compile_options(w4_options INTERFACE -fsanitize=${W4_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(w4_options INTERFACE -fsanitize=${W4_SANITIZE})
endif()
if(W4_FUZZ)
  target_compile_options(w4_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(W4_COVERAGE)
  target_compile_options(w4_options INTERFACE -fprofile-instr-generate -fcoverage-mapping)
  target_link_options(w4_options INTERFACE -fprofile-instr-generate)
endif()

# w4_room(<name> SOURCES … LINK …): the room's library w4_<name>.
function(w4_room name)
  cmake_parse_arguments(A "" "" "SOURCES;LINK" ${ARGN})
  add_library(w4_${name} STATIC ${A_SOURCES})
  add_library(w4::${name} ALIAS w4_${name})
  target_link_libraries(w4_${name} PUBLIC w4_options ${A_LINK})
endfunction()

# w4_test(<name> LABELS … SOURCES … LINK …): one GoogleTest binary, its cases found at build time.
function(w4_test name)
  cmake_parse_arguments(A "" "TIMEOUT" "SOURCES;LINK;LABELS" ${ARGN})
  if(NOT A_LABELS)
    set(A_LABELS quick)
  endif()
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 300)
  endif()
  add_executable(${name} ${A_SOURCES})
  target_link_libraries(${name} PRIVATE w4_options ${A_LINK} GTest::gtest GTest::gmock GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${A_LABELS}" TIMEOUT ${A_TIMEOUT})
endfunction()

# w4_suites(<name> PREFIX … SUITES … SOURCES … LINK …): one binary, a ctest for each of its suites
# (PREFIX and the suite's name in lower case) and one, <name>, for the rest.
function(w4_suites name)
  cmake_parse_arguments(A "" "PREFIX" "SUITES;SOURCES;LINK" ${ARGN})
  w4_test(${name} SOURCES ${A_SOURCES} LINK ${A_LINK})
  set(all "")
  foreach(suite ${A_SUITES})
    string(TOLOWER "${A_PREFIX}${suite}" test)
    add_test(NAME ${test} COMMAND ${name} --gtest_filter=${suite}.*:*/${suite}.*)
    set_tests_properties(${test} PROPERTIES LABELS quick TIMEOUT 300)
    string(APPEND all ":${suite}.*:*/${suite}.*")
  endforeach()
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "GTEST_FILTER=*-${all}")
endfunction()
