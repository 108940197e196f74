# Installs the package, builds examples/c_module against it, runs its cases; then plants the founding
# defects in the example's host code, each of which its cases must catch.
file(REMOVE_RECURSE ${WORK})
set(example ${SOURCE}/examples/c_module)

function(run what)
  cmake_parse_arguments(A "" "OUT;CODE" "COMMAND" ${ARGN})
  execute_process(COMMAND ${A_COMMAND} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT A_CODE)
    set(A_CODE 0)
  endif()
  if(NOT code EQUAL A_CODE)
    message(FATAL_ERROR "${what}: exit ${code}, expected ${A_CODE}\n${out}")
  endif()
  if(A_OUT)
    set(${A_OUT} "${out}" PARENT_SCOPE)
  endif()
endfunction()

function(build from to)
  run("configure ${to}" COMMAND ${CMAKE_COMMAND} -G ${GENERATOR} -S ${from} -B ${to}
    -DCMAKE_C_COMPILER=${CC} -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=${WORK}/installed
    -DCMAKE_C_FLAGS=-Werror -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
  run("build ${to}" COMMAND ${CMAKE_COMMAND} --build ${to})
endfunction()

run("install" COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
foreach(file bin/w4check include/w4check/module.h lib/cmake/w4check/w4checkConfig.cmake
        lib/cmake/w4check/w4checkConfigVersion.cmake)
  if(NOT EXISTS ${WORK}/installed/${file})
    message(FATAL_ERROR "${file} was not installed")
  endif()
endforeach()
set(program ${WORK}/installed/bin/w4check)
run("the installed program" COMMAND ${program} rerun "decode m=3 n=24 k=256 g=64 zp=packed")

build(${example} ${WORK}/clean)
run("the example's own ctest" COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/clean OUT said)
if(NOT said MATCHES "100% tests passed, 0 tests failed out of 1")
  message(FATAL_ERROR "the example's ctest ran something else:\n${said}")
endif()

# id, what the verdict has to say.
foreach(defect
    "g64_runs_128 mismatch"
    "bias_row_stride_n finding|mismatch"
    "zp_half_read_as_packed mismatch"
    "lds_gate_asks_device finding")
  string(REPLACE " " ";" defect ${defect})
  list(GET defect 0 id)
  list(GET defect 1 kinds)
  set(tree ${WORK}/${id})
  file(COPY ${example}/ DESTINATION ${tree})
  run("plant ${id}" COMMAND ${EDIT} ${CMAKE_CURRENT_LIST_DIR}/c_module/${id}.edit ${example} ${tree})
  build(${tree} ${tree}/build)
  run("${id} is not caught" CODE 1 OUT said
    COMMAND ${program} run --cases ${tree}/build/skinny.cases)
  if(NOT said MATCHES "(^|\n)(${kinds}):")
    message(FATAL_ERROR "${id}: expected ${kinds}\n${said}")
  endif()
  message("${id}: caught")
endforeach()
