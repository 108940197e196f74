# Code objects of the decode kernels, and the C++ file that holds their bytes: nothing is looked up
# at run time.
set(W4_DECODE_ACTS f16 bf16)
set(W4_DECODE_GROUPS 32 64 128)

# w4_decode_objects(<outvar> ARCHS … [OPT -O3] [SOURCE kernels/decode.hip] [TAG name] [FLAGS …]
#                   [DEPENDS …] [GROUPS …])
# One object per (arch, dtype, group size); <outvar> is a list of arch|act|g|path.
function(w4_decode_objects outvar)
  cmake_parse_arguments(A "" "OPT;SOURCE;TAG" "ARCHS;FLAGS;DEPENDS;GROUPS" ${ARGN})
  if(NOT A_SOURCE)
    set(A_SOURCE ${CMAKE_SOURCE_DIR}/kernels/decode.hip)
  endif()
  if(NOT A_OPT)
    set(A_OPT -O3)
  endif()
  if(NOT A_GROUPS)
    set(A_GROUPS ${W4_DECODE_GROUPS})
  endif()
  set(type_f16 Half)
  set(type_bf16 Bf16)
  set(objects "")
  foreach(arch IN LISTS A_ARCHS)
    foreach(act IN LISTS W4_DECODE_ACTS)
      foreach(g IN LISTS A_GROUPS)
        w4_device_object(object SOURCE ${A_SOURCE} ARCH ${arch} OPT ${A_OPT} MINI
          NAME decode${A_TAG}_${act}_g${g} DEPENDS ${A_DEPENDS}
          FLAGS ${A_FLAGS} -DW4_DECODE_ACT=${type_${act}} -DW4_DECODE_ACT_NAME=${act} -DW4_DECODE_G=${g})
        list(APPEND objects "${arch}|${act}|${g}|${object}")
      endforeach()
    endforeach()
  endforeach()
  set(${outvar} "${objects}" PARENT_SCOPE)
endfunction()

# w4_decode_host_objects(<outvar>): the same kernels for the CPU, one object library each; <outvar> is
# a list of act|g|target, and the target's name is also its table's. Not optimised: a tenth of the
# time to compile, gdb shows every variable, and arithmetic that no optimiser has touched is the
# better second opinion.
function(w4_decode_host_objects outvar)
  set(type_f16 Half)
  set(type_bf16 Bf16)
  set(objects "")
  foreach(act IN LISTS W4_DECODE_ACTS)
    foreach(g IN LISTS W4_DECODE_GROUPS)
      set(target w4_decode_host_${act}_g${g})
      add_library(${target} OBJECT ${CMAKE_SOURCE_DIR}/kernels/decode_host.cpp)
      target_link_libraries(${target} PRIVATE w4_options)
      # Kernels offset the null address of an operand that is absent, and never use the result.
      target_compile_options(${target} PRIVATE -O0 -g -fno-sanitize=pointer-overflow)
      target_compile_definitions(${target} PRIVATE W4_HOST_LANES W4_DECODE_ACT=${type_${act}}
        W4_DECODE_ACT_NAME=${act} W4_DECODE_G=${g} W4_DECODE_HOST_OBJECT=${target})
      list(APPEND objects "${act}|${g}|${target}")
    endforeach()
  endforeach()
  set(${outvar} "${objects}" PARENT_SCOPE)
endfunction()

# w4_embed_decode(<outvar> OBJECTS … [HOST …] [TAG name]): writes the C++ file behind
# kernels/objects.h; HOST: what w4_decode_host_objects gave.
function(w4_embed_decode outvar)
  cmake_parse_arguments(A "" "TAG" "OBJECTS;HOST" ${ARGN})
  set(paths "")
  set(externs "")
  set(rows "")
  set(incbins "")
  set(archs "")
  foreach(object IN LISTS A_OBJECTS)
    string(REPLACE "|" ";" parts "${object}")
    list(GET parts 0 arch)
    list(GET parts 1 act)
    list(GET parts 2 g)
    list(GET parts 3 path)
    list(APPEND paths ${path})
    list(APPEND archs ${arch})
    set(name w4_co_${arch}_${act}_g${g})
    string(APPEND incbins
      "asm(\".section .rodata.w4_co,\\\"a\\\"\\n.balign 64\\n.hidden ${name}\\n.globl ${name}\\n${name}:\\n.incbin \\\"${path}\\\"\\n\"\n"
      "    \".hidden ${name}_end\\n.globl ${name}_end\\n${name}_end:\\n.previous\\n\");\n")
    string(APPEND externs "extern \"C\" const unsigned char ${name}[], ${name}_end[];\n")
    string(APPEND rows "    {\"${arch}\", \"${act}\", ${g}, ${name}, ${name}_end},\n")
  endforeach()
  foreach(object IN LISTS A_HOST)
    string(REPLACE "|" ";" parts "${object}")
    list(GET parts 0 act)
    list(GET parts 1 g)
    list(GET parts 2 name)
    list(APPEND archs host)
    string(APPEND externs "extern \"C\" const w4::HostObject ${name};\n")
    string(APPEND rows "    {\"host\", \"${act}\", ${g}, reinterpret_cast<const unsigned char*>(&${name}),\n     reinterpret_cast<const unsigned char*>(&${name} + 1)},\n")
  endforeach()
  list(REMOVE_DUPLICATES archs)
  list(TRANSFORM archs REPLACE "(.+)" "\"\\1\", ")
  string(JOIN "" archs ${archs})
  set(out ${CMAKE_CURRENT_BINARY_DIR}/decode_objects${A_TAG}.cpp)
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [[
#include "devices/host_lane.h"
#include "kernels/objects.h"

@externs@
@incbins@
namespace w4 {

std::span<const DecodeObject> decode_objects() {
  static const DecodeObject all[] = {
@rows@  };
  return all;
}

const char* const* decode_archs() {
  static const char* const all[] = {@archs@nullptr};
  return all;
}

}  // namespace w4
]])
  set_source_files_properties(${out} PROPERTIES OBJECT_DEPENDS "${paths}")
  set(${outvar} ${out} PARENT_SCOPE)
endfunction()
