# Functions for kernel modules; part of the package, found by find_package(w4check).

# w4check_code_object(<outvar> SOURCE x.hip ARCH gfx1151 [FLAGS …] [DEPENDS …])
# Compiles device code that needs no HIP headers to a bare AMDGPU code object; <outvar> is its path.
# The compiler is W4CHECK_DEVICE_COMPILER: a clang that knows the arch.
function(w4check_code_object outvar)
  cmake_parse_arguments(A "" "SOURCE;ARCH" "FLAGS;DEPENDS" ${ARGN})
  if(NOT A_SOURCE OR NOT A_ARCH OR A_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "w4check_code_object(${outvar} ${ARGN}): legal: SOURCE and ARCH, FLAGS, DEPENDS")
  endif()
  find_program(W4CHECK_DEVICE_COMPILER NAMES clang++-19 amdclang++ clang++
    PATHS /opt/rocm/llvm/bin /opt/rocm/bin
    DOC "The compiler of device code: a clang with the AMDGPU target" REQUIRED)
  get_filename_component(source ${A_SOURCE} ABSOLUTE)
  get_filename_component(stem ${source} NAME_WE)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${stem}.${A_ARCH}.co)
  add_custom_command(OUTPUT ${out}
    COMMAND ${W4CHECK_DEVICE_COMPILER} -x hip --offload-device-only --no-gpu-bundle-output
      --offload-arch=${A_ARCH} -nogpulib -nogpuinc -O3 -std=c++17 -ffp-contract=off
      -mcode-object-version=5 -gline-tables-only ${A_FLAGS} -MD -MF ${out}.d -MT ${out}
      -c ${source} -o ${out}
    DEPENDS ${source} ${A_DEPENDS}
    DEPFILE ${out}.d
    COMMENT "Device code ${stem} for ${A_ARCH}"
    VERBATIM)
  set(${outvar} ${out} PARENT_SCOPE)
endfunction()

# w4check_add_module(<name> SOURCES … [CODE_OBJECTS symbol=path …])
# A module as w4check loads it: <name>.so, which exports w4_module_v1 and lacks no symbol. The bytes
# of each code object lie in it from `symbol` to `symbol`_end (const unsigned char[]).
function(w4check_add_module name)
  cmake_parse_arguments(A "" "" "SOURCES;CODE_OBJECTS" ${ARGN})
  if(NOT A_SOURCES OR A_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "w4check_add_module(${name} ${ARGN}): legal: SOURCES, CODE_OBJECTS symbol=path")
  endif()
  set(text "/* Generated: code objects as bytes. */\n")
  set(objects "")
  foreach(item IN LISTS A_CODE_OBJECTS)
    if(NOT item MATCHES "^([A-Za-z_][A-Za-z0-9_]*)=(.+)$")
      message(FATAL_ERROR "w4check_add_module(${name}): CODE_OBJECTS ${item}; legal: symbol=path")
    endif()
    set(symbol ${CMAKE_MATCH_1})
    get_filename_component(path ${CMAKE_MATCH_2} ABSOLUTE)
    list(APPEND objects ${path})
    string(APPEND text
      "__asm__(\".section .rodata.code_objects,\\\"a\\\"\\n.balign 64\\n.globl ${symbol}\\n.hidden ${symbol}\\n${symbol}:\\n"
      ".incbin \\\"${path}\\\"\\n.globl ${symbol}_end\\n.hidden ${symbol}_end\\n${symbol}_end:\\n.previous\\n\");\n")
  endforeach()
  if(objects)
    set(embedded ${CMAKE_CURRENT_BINARY_DIR}/${name}_code_objects.c)
    file(CONFIGURE OUTPUT ${embedded} CONTENT "${text}" @ONLY)
    set_source_files_properties(${embedded} PROPERTIES OBJECT_DEPENDS "${objects}")
  endif()
  add_library(${name} MODULE ${A_SOURCES} ${embedded})
  target_link_libraries(${name} PRIVATE w4check::module)
  target_link_options(${name} PRIVATE -Wl,--no-undefined)
  # The rounding of numerics is what the source says.
  target_compile_options(${name} PRIVATE -ffp-contract=off)
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so"
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden)
endfunction()
