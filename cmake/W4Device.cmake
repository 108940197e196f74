# Compiles HIP sources to bare AMDGPU code objects, with an installed ROCm where there is one and
# otherwise with clang 19 and the distribution's device libraries. No HIP language support of CMake:
# the host compiler is clang too, and only device code is wanted.
set(W4_ROCM "AUTO" CACHE STRING "ROCm for the device code: AUTO (/opt/rocm if it is there), OFF, or a path")

set(W4_KNOWN_ARCHS gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1200 gfx1201)
set(W4_ARCHS "" CACHE STRING "Archs of the device code; empty: gfx1100, gfx1151 and gfx1201, or all eight with W4_ALL_ARCHS")
option(W4_CUDA "Compile the kernels to PTX too, for device=cuda (minutes; no CUDA is needed)" OFF)
if(W4_ARCHS)
  set(W4_DEVICE_ARCHS ${W4_ARCHS})
elseif(W4_ALL_ARCHS)
  set(W4_DEVICE_ARCHS ${W4_KNOWN_ARCHS})
else()
  set(W4_DEVICE_ARCHS gfx1100 gfx1151 gfx1201)
endif()
# Modules of the zoo run there.
if(NOT gfx1151 IN_LIST W4_DEVICE_ARCHS)
  message(FATAL_ERROR "W4_ARCHS=${W4_ARCHS}; legal: a list with gfx1151 in it")
endif()

set(w4_rocm_root "")
if(W4_ROCM STREQUAL "AUTO")
  if(EXISTS /opt/rocm)
    set(w4_rocm_root /opt/rocm)
  endif()
elseif(W4_ROCM)
  set(w4_rocm_root ${W4_ROCM})
endif()

if(w4_rocm_root)
  find_program(W4_DEVICE_CLANG NAMES clang++ amdclang++ NO_DEFAULT_PATH
    PATHS ${w4_rocm_root}/llvm/bin ${w4_rocm_root}/lib/llvm/bin ${w4_rocm_root}/bin)
  find_path(w4_rocm_bitcode oclc_isa_version_1151.bc NO_DEFAULT_PATH
    PATHS ${w4_rocm_root}/amdgcn/bitcode ${w4_rocm_root}/lib/llvm/lib/clang
    PATH_SUFFIXES 17/lib/amdgcn/bitcode 18/lib/amdgcn/bitcode 19/lib/amdgcn/bitcode 20/lib/amdgcn/bitcode)
  if(NOT W4_DEVICE_CLANG OR NOT w4_rocm_bitcode)
    if(NOT W4_ROCM STREQUAL "AUTO")
      message(FATAL_ERROR "W4_ROCM=${W4_ROCM}: no clang++ or no device library for gfx1151 in it; legal: AUTO, OFF, or the root of a ROCm that knows gfx1151")
    endif()
    message(STATUS "ROCm in ${w4_rocm_root} lacks clang++ or the gfx1151 device library: clang 19 is used")
    set(w4_rocm_root "")
    unset(W4_DEVICE_CLANG CACHE)
  endif()
endif()

if(w4_rocm_root)
  set(w4_device_lib_flags --rocm-path=${w4_rocm_root} --rocm-device-lib-path=${w4_rocm_bitcode})
  set(w4_device_lib_text "--rocm-path")
else()
  find_program(W4_DEVICE_CLANG NAMES clang++-19 REQUIRED)
  find_path(W4_DEVICE_BITCODE ocml.bc REQUIRED
    PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/amdgcn/bitcode /usr/lib/x86_64-linux-gnu/amdgcn/bitcode
    DOC "Folder of the distribution's AMDGPU device libraries (package rocm-device-libs)")
  set(w4_devlib ${CMAKE_BINARY_DIR}/devlib)
  set(w4_device_lib_flags --rocm-path=/usr --rocm-device-lib-path=${w4_devlib})
  set(w4_device_lib_text "--rocm-device-lib-path=devlib")
  # The distribution's libraries know no gfx11xx and gfx12xx: a shadow folder adds the one file per
  # arch that clang asks for. Its value is major*1000 + minor*100 + stepping, 11501 for gfx1151.
  if(NOT EXISTS ${w4_devlib}/complete)
    file(MAKE_DIRECTORY ${w4_devlib})
    file(GLOB w4_bitcode ${W4_DEVICE_BITCODE}/*.bc)
    foreach(file IN LISTS w4_bitcode)
      get_filename_component(name ${file} NAME)
      file(CREATE_LINK ${file} ${w4_devlib}/${name} SYMBOLIC)
    endforeach()
    foreach(arch IN LISTS W4_KNOWN_ARCHS)
      string(REGEX REPLACE "gfx(..)(.)(.)" "\\1;\\2;\\3" parts ${arch})
      list(GET parts 0 major)
      list(GET parts 1 minor)
      list(GET parts 2 stepping)
      math(EXPR value "${major} * 1000 + ${minor} * 100 + ${stepping}")
      set(bc ${w4_devlib}/oclc_isa_version_${major}${minor}${stepping}.bc)
      if(NOT EXISTS ${bc})
        set(src ${w4_devlib}/isa_${arch}.c)
        file(WRITE ${src}
          "extern const __attribute__((address_space(4))) int __oclc_ISA_version;\n"
          "__attribute__((weak, visibility(\"hidden\"))) const __attribute__((address_space(4))) int __oclc_ISA_version = ${value};\n")
        execute_process(
          COMMAND ${W4_DEVICE_CLANG} -x c -target amdgcn-amd-amdhsa -nogpulib -O2 -emit-llvm -c -o ${bc} ${src}
          COMMAND_ERROR_IS_FATAL ANY)
      endif()
    endforeach()
    file(TOUCH ${w4_devlib}/complete)
  endif()
endif()

# -ffp-contract=off: HIP's default fuses a*b+c silently, which changes fp16 bits; fused operations
# are written as fma. Line tables leave .text unchanged (plain -g does not); without a cuid and with
# paths relative to the source tree two builds of one source are the same bytes.
set(w4_device_flags --offload-device-only --no-gpu-bundle-output -std=c++17 -ffp-contract=off
  -gline-tables-only -fuse-cuid=none -mcode-object-version=5)
set(w4_device_warnings -Wall -Wextra -Werror)

execute_process(COMMAND ${W4_DEVICE_CLANG} --version OUTPUT_VARIABLE w4_device_version COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\n.*" "" w4_device_version "${w4_device_version}")
list(JOIN w4_device_flags " " w4_device_flags_text)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/kernels/device_flags.h @ONLY CONTENT [[
// The compiler and the flags of the device code objects, as the build used them: part of each
// kernel's numerics declaration and of the build id.
#pragma once
#define W4_DEVICE_COMPILER "@w4_device_version@"
#define W4_DEVICE_FLAGS "@w4_device_flags_text@"
#define W4_DEVICE_LIBS "@w4_device_lib_text@"
]])

# PTX of NVIDIA's compute capability 8.0, which later GPUs translate too.
set(w4_ptx_flags -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx70 -nocudainc -nocudalib
  --cuda-path=/nonexistent -std=c++17 -ffp-contract=off -fuse-cuid=none -S)
find_program(W4_PTX_CLANG NAMES clang++-19 clang++ REQUIRED)

# w4_device_object(<outvar> SOURCE f.hip ARCH gfx1151 [OPT -O3] [FLAGS …] [NAME stem] [DEPENDS …] [MINI])
# ARCH cuda: PTX text, MINI alone. Sets <outvar> to the path of the code object; whoever uses it depends on the file. MINI: no HIP
# headers and no device libraries, for sources on a small header of their own (0.2 s, not 0.7 s).
# NAME: stem of the output where one source is compiled more than once with other FLAGS.
function(w4_device_object outvar)
  cmake_parse_arguments(A "MINI" "SOURCE;ARCH;OPT;NAME" "FLAGS;DEPENDS" ${ARGN})
  if(NOT A_SOURCE OR NOT A_ARCH)
    message(FATAL_ERROR "w4_device_object(${outvar}): SOURCE and ARCH are required")
  endif()
  if(NOT A_ARCH IN_LIST W4_KNOWN_ARCHS AND NOT A_ARCH STREQUAL cuda)
    message(FATAL_ERROR "w4_device_object(${outvar}): ARCH ${A_ARCH}; legal: ${W4_KNOWN_ARCHS} cuda")
  endif()
  if(NOT A_OPT)
    set(A_OPT -O3)
  endif()
  get_filename_component(source ${A_SOURCE} ABSOLUTE)
  file(RELATIVE_PATH relative ${CMAKE_SOURCE_DIR} ${source})
  if(NOT A_NAME)
    get_filename_component(A_NAME ${source} NAME_WE)
  endif()
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${A_NAME}${A_OPT}.${A_ARCH}.co)
  if(A_MINI)
    set(lib -nogpulib -nogpuinc)
  else()
    set(lib ${w4_device_lib_flags})
  endif()
  set(compile ${W4_DEVICE_CLANG} -x hip ${w4_device_flags} ${w4_device_warnings} ${lib} --offload-arch=${A_ARCH}
    ${A_OPT} ${A_FLAGS} -c)
  if(A_ARCH STREQUAL cuda)
    set(compile ${W4_PTX_CLANG} ${w4_ptx_flags} ${w4_device_warnings} ${A_OPT} ${A_FLAGS})
  endif()
  # Compiled from the root of the source tree with paths relative to it, so that line tables name
  # kernels/x.hip and every checkout finds the same ccache entry; the dependency file is then made
  # absolute again, as the build tool reads it from another folder.
  set(cache "")
  if(W4_CCACHE)
    set(cache ${CMAKE_COMMAND} -E env CCACHE_NOHASHDIR=1 ${W4_CCACHE})
  endif()
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${cache} ${compile} -I. -ffile-compilation-dir=. -MD -MF ${out}.d -MT ${out} ${relative} -o ${out}
    COMMAND sed -i -E "s# ([^/ ][^ ]*[.](h|hip|inc))# ${CMAKE_SOURCE_DIR}/\\1#g" ${out}.d
    DEPENDS ${source} ${A_DEPENDS}
    DEPFILE ${out}.d
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    COMMENT "Device object ${A_NAME} ${A_ARCH} ${A_OPT}"
    VERBATIM)
  set(${outvar} ${out} PARENT_SCOPE)
endfunction()
