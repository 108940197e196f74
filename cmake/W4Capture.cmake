# The probes of `w4check capture`, compiled for every arch that is known (a capture of any of them
# can be replayed), and what silicon agrees with as a table of the program.

# w4_embed_probes(<outvar>): writes the C++ file behind capture::probe_object().
function(w4_embed_probes outvar)
  set(objects "")
  set(incbins "")
  set(rows "")
  foreach(arch IN LISTS W4_KNOWN_ARCHS)
    w4_device_object(object SOURCE ${CMAKE_SOURCE_DIR}/campaign/capture/probes.hip ARCH ${arch} MINI
      NAME probes FLAGS -g0)
    list(APPEND objects ${object})
    set(name w4_probes_${arch})
    string(APPEND incbins
      "asm(\".section .rodata.w4_probes,\\\"a\\\"\\n.balign 64\\n.globl ${name}\\n${name}:\\n.incbin \\\"${object}\\\"\\n\"\n"
      "    \".globl ${name}_end\\n${name}_end:\\n.byte 0\\n.previous\\n\");\nextern \"C\" const std::byte ${name}[], ${name}_end[];\n")
    string(APPEND rows "  if (arch == \"${arch}\") return {${name}, ${name}_end};\n")
  endforeach()
  set(out ${CMAKE_CURRENT_BINARY_DIR}/probe_objects.cpp)
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [[
#include "campaign/capture/probe.h"

@incbins@
namespace w4::capture {

std::span<const std::byte> probe_object(std::string_view arch) {
@rows@  return {};
}

}  // namespace w4::capture
]])
  set_source_files_properties(${out} PROPERTIES OBJECT_DEPENDS "${objects}")
  set(${outvar} ${out} PARENT_SCOPE)
endfunction()

# w4_silicon_evidence(<outvar> FILES …): the table of the captures that the emulator agrees with
# (campaign/capture/evidence.h), made by replaying them.
function(w4_silicon_evidence outvar)
  cmake_parse_arguments(A "" "" "FILES" ${ARGN})
  set(out ${CMAKE_CURRENT_BINARY_DIR}/silicon_evidence.cpp)
  add_custom_command(
    OUTPUT ${out}
    COMMAND w4_silicon_evidence ${out} ${A_FILES}
    DEPENDS w4_silicon_evidence ${A_FILES}
    COMMENT "Replaying docs/hardware"
    VERBATIM)
  set(${outvar} ${out} PARENT_SCOPE)
endfunction()
