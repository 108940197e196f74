# Code objects of the kernels, and the C++ file that holds their bytes: nothing is looked up at run
# time. An object is one kernel source compiled for one arch, one activation dtype and, where the
# kernel wants the group size at compile time, one group size.
set(W4_ACTS f16 bf16)
set(w4_type_f16 Half)
set(w4_type_bf16 Bf16)

# Kernels with device code: W4_SOURCE_<name> is <name>.hip, compiled once per group size of
# W4_GROUPS_<name> (0: any), and for the CPU as <name>_host.cpp; W4_DEVICE_FILES_<name> is what the
# zoo's edits may touch of it.
set(W4_KERNELS_WITH_CODE decode chunked moe moe_prefill prefill)
set(W4_GROUPS_decode 32 64 128)
set(W4_DEVICE_FILES_decode decode.hip device.h dequant.h decode_args.h)
set(W4_GROUPS_chunked 32 64 128)
set(W4_DEVICE_FILES_chunked
  chunked.hip walk.h piece.h device.h dequant.h walk_args.h chunked_args.h)
set(W4_GROUPS_moe_prefill 0)
set(W4_DEVICE_FILES_moe_prefill moe_prefill.hip device.h dequant.h gemm_shape.h gemm_source.h
  gemm_tile.h moe_prefill_args.h)
set(W4_GROUPS_prefill 0)
set(W4_DEVICE_FILES_prefill prefill.hip device.h dequant.h gemm_shape.h gemm_source.h gemm_tile.h
  prefill_args.h)
set(W4_GROUPS_moe 32 64 128)
set(W4_DEVICE_FILES_moe moe.hip silu.h walk.h piece.h device.h dequant.h walk_args.h moe_args.h)

# w4_kernel_objects(<outvar> ARCHS … [OPT -O3] [KERNELS …] [ACTS …] [GROUPS …] [TAG name] [FLAGS …]
#                   [DEPENDS …] [SOURCE_DIR kernels])
# <outvar>: a list of kernel|arch|act|g|path.
function(w4_kernel_objects outvar)
  cmake_parse_arguments(A "" "OPT;SOURCE_DIR;TAG" "ARCHS;FLAGS;DEPENDS;ACTS;GROUPS;KERNELS" ${ARGN})
  if(NOT A_SOURCE_DIR)
    set(A_SOURCE_DIR ${CMAKE_SOURCE_DIR}/kernels)
  endif()
  if(NOT A_OPT)
    set(A_OPT -O3)
  endif()
  if(NOT A_KERNELS)
    set(A_KERNELS ${W4_KERNELS_WITH_CODE})
  endif()
  if(NOT A_ACTS)
    set(A_ACTS ${W4_ACTS})
  endif()
  set(objects "")
  foreach(kernel IN LISTS A_KERNELS)
    set(groups ${W4_GROUPS_${kernel}})
    if(A_GROUPS AND NOT groups STREQUAL "0")
      set(groups ${A_GROUPS})
    endif()
    set(source ${A_SOURCE_DIR}/${kernel}.hip)
    if(NOT EXISTS ${source} AND NOT A_TAG)
      message(FATAL_ERROR "kernel ${kernel}: no ${source}")
    endif()
    foreach(arch IN LISTS A_ARCHS)
      foreach(act IN LISTS A_ACTS)
        foreach(g IN LISTS groups)
          w4_device_object(object SOURCE ${source} ARCH ${arch} OPT ${A_OPT} MINI
            NAME ${kernel}${A_TAG}_${act}_g${g} DEPENDS ${A_DEPENDS}
            FLAGS ${A_FLAGS} -DW4_ACT=${w4_type_${act}} -DW4_ACT_NAME=${act} -DW4_GROUP=${g})
          list(APPEND objects "${kernel}|${arch}|${act}|${g}|${object}")
        endforeach()
      endforeach()
    endforeach()
  endforeach()
  set(${outvar} "${objects}" PARENT_SCOPE)
endfunction()

# w4_kernel_host_objects(<outvar>): the same kernels for the CPU, one object library each; <outvar>
# is a list of kernel|act|g|target, and the target's name is also its table's. Not optimised: a tenth
# of the time to compile, gdb shows every variable, and arithmetic that no optimiser has touched is
# the better second opinion.
function(w4_kernel_host_objects outvar)
  set(objects "")
  foreach(kernel IN LISTS W4_KERNELS_WITH_CODE)
    foreach(act IN LISTS W4_ACTS)
      foreach(g IN LISTS W4_GROUPS_${kernel})
        set(target w4_${kernel}_host_${act}_g${g})
        add_library(${target} OBJECT ${CMAKE_SOURCE_DIR}/kernels/${kernel}_host.cpp)
        target_link_libraries(${target} PRIVATE w4_options)
        # Kernels offset the null address of an operand that is absent, and never use the result. Of
        # the source: options of the target would stand before those that turn the sanitizer on.
        set_source_files_properties(${CMAKE_SOURCE_DIR}/kernels/${kernel}_host.cpp
          PROPERTIES COMPILE_OPTIONS -fno-sanitize=pointer-overflow)
        target_compile_options(${target} PRIVATE -O0 -g)
        target_compile_definitions(${target} PRIVATE W4_HOST_LANES W4_ACT=${w4_type_${act}}
          W4_ACT_NAME=${act} W4_GROUP=${g} W4_HOST_OBJECT=${target})
        list(APPEND objects "${kernel}|${act}|${g}|${target}")
      endforeach()
    endforeach()
  endforeach()
  set(${outvar} "${objects}" PARENT_SCOPE)
endfunction()

# w4_embed_kernels(<outvar> OBJECTS … [ELSEWHERE …] [HOST …] [TAG name] [BYTES_ONLY]): writes the C++
# file behind kernels/objects.h; HOST: what w4_kernel_host_objects gave; ELSEWHERE: objects whose
# bytes another library holds: the one of a file with BYTES_ONLY, which has no table and hides no
# name.
function(w4_embed_kernels outvar)
  cmake_parse_arguments(A "BYTES_ONLY" "TAG" "OBJECTS;ELSEWHERE;HOST" ${ARGN})
  set(paths "")
  set(externs "")
  set(rows "")
  set(incbins "")
  set(archs "")
  set(hidden .hidden)
  if(A_BYTES_ONLY)
    set(hidden .protected)
  endif()
  foreach(object IN LISTS A_OBJECTS A_ELSEWHERE)
    string(REPLACE "|" ";" parts "${object}")
    list(GET parts 0 kernel)
    list(GET parts 1 arch)
    list(GET parts 2 act)
    list(GET parts 3 g)
    list(GET parts 4 path)
    list(APPEND archs ${arch})
    set(name w4_co_${kernel}_${arch}_${act}_g${g})
    if(NOT object IN_LIST A_ELSEWHERE)
      list(APPEND paths ${path})
      string(APPEND incbins
        "asm(\".section .rodata.w4_co,\\\"a\\\"\\n.balign 64\\n${hidden} ${name}\\n.globl ${name}\\n.type ${name}, @object\\n${name}:\\n.incbin \\\"${path}\\\"\\n\"\n"
        "    \".size ${name}, .-${name}\\n${hidden} ${name}_end\\n.globl ${name}_end\\n.type ${name}_end, @object\\n${name}_end:\\n.byte 0\\n.previous\\n\");\n")
    endif()
    string(APPEND externs "extern \"C\" const unsigned char ${name}[], ${name}_end[];\n")
    string(APPEND rows "    {\"${kernel}\", \"${arch}\", \"${act}\", ${g}, ${name}, ${name}_end},\n")
  endforeach()
  foreach(object IN LISTS A_HOST)
    string(REPLACE "|" ";" parts "${object}")
    list(GET parts 0 kernel)
    list(GET parts 1 act)
    list(GET parts 2 g)
    list(GET parts 3 name)
    list(APPEND archs host)
    string(APPEND externs "extern \"C\" const w4::HostObject ${name};\n")
    string(APPEND rows "    {\"${kernel}\", \"host\", \"${act}\", ${g}, reinterpret_cast<const unsigned char*>(&${name}),\n     reinterpret_cast<const unsigned char*>(&${name} + 1)},\n")
  endforeach()
  list(REMOVE_DUPLICATES archs)
  list(TRANSFORM archs REPLACE "(.+)" "\"\\1\", ")
  string(JOIN "" archs ${archs})
  set(out ${CMAKE_CURRENT_BINARY_DIR}/kernel_objects${A_TAG}.cpp)
  if(A_BYTES_ONLY)
    file(CONFIGURE OUTPUT ${out} @ONLY CONTENT "@incbins@")
    set_source_files_properties(${out} PROPERTIES OBJECT_DEPENDS "${paths}")
    set(${outvar} ${out} PARENT_SCOPE)
    return()
  endif()
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [[
#include "devices/host_lane.h"
#include "kernels/objects.h"

@externs@
@incbins@
namespace w4 {

std::span<const KernelObject> kernel_objects() {
  static const KernelObject all[] = {
@rows@  };
  return all;
}

const char* const* kernel_archs() {
  static const char* const all[] = {@archs@nullptr};
  return all;
}

}  // namespace w4
]])
  set_source_files_properties(${out} PROPERTIES OBJECT_DEPENDS "${paths}")
  set(${outvar} ${out} PARENT_SCOPE)
endfunction()
