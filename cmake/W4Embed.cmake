# w4_decode_objects(<outvar> ARCHS … [OPT -O3] [SOURCE kernels/decode.hip] [TAG name] [FLAGS …])
# Compiles the decode kernels, one object per (arch, dtype, group size), and writes the C++ file that
# holds them; <outvar> is that file, to be listed as a source of whoever embeds them. The bytes are
# inside the binary: nothing is looked up at run time.
function(w4_decode_objects outvar)
  cmake_parse_arguments(A "" "OPT;SOURCE;TAG" "ARCHS;FLAGS" ${ARGN})
  if(NOT A_SOURCE)
    set(A_SOURCE ${CMAKE_SOURCE_DIR}/kernels/decode.hip)
  endif()
  if(NOT A_OPT)
    set(A_OPT -O3)
  endif()
  set(paths "")
  set(externs "")
  set(rows "")
  set(incbins "")
  set(archs "")
  foreach(arch IN LISTS A_ARCHS)
    string(APPEND archs "\"${arch}\", ")
    foreach(act f16 bf16)
      if(act STREQUAL "f16")
        set(type Half)
      else()
        set(type Bf16)
      endif()
      foreach(g 32 64 128)
        w4_device_object(object SOURCE ${A_SOURCE} ARCH ${arch} OPT ${A_OPT} MINI
          NAME decode${A_TAG}_${act}_g${g}
          FLAGS ${A_FLAGS} -DW4_DECODE_ACT=${type} -DW4_DECODE_ACT_NAME=${act} -DW4_DECODE_G=${g})
        list(APPEND paths ${object})
        set(name w4_co_${arch}_${act}_g${g})
        string(APPEND incbins
          "asm(\".section .rodata.w4_co,\\\"a\\\"\\n.balign 64\\n.hidden ${name}\\n.globl ${name}\\n${name}:\\n.incbin \\\"${object}\\\"\\n\"\n"
          "    \".hidden ${name}_end\\n.globl ${name}_end\\n${name}_end:\\n.previous\\n\");\n")
        string(APPEND externs "extern \"C\" const unsigned char ${name}[], ${name}_end[];\n")
        string(APPEND rows "    {\"${arch}\", \"${act}\", ${g}, ${name}, ${name}_end},\n")
      endforeach()
    endforeach()
  endforeach()
  set(out ${CMAKE_CURRENT_BINARY_DIR}/decode_objects${A_TAG}${A_OPT}.cpp)
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [[
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
