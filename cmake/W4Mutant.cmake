# w4_mutant_module(<id> [EDIT founding/<id>.edit] [OPT -O1] [GROUPS …])
# The kernels as a shared object that exports w4_module_v0 and nothing else, built from the clean
# sources with the edit applied to copies of the files it names. Device code, gfx1151 only, is
# compiled again only where the edit touches it or OPT differs from the product's.
function(w4_mutant_module id)
  cmake_parse_arguments(A "" "EDIT;OPT" "GROUPS" ${ARGN})
  set(tree ${CMAKE_CURRENT_BINARY_DIR}/${id})
  set(edited "")
  if(A_EDIT)
    get_filename_component(edit ${A_EDIT} ABSOLUTE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${edit})
    file(STRINGS ${edit} edited REGEX "^file ")
    list(TRANSFORM edited REPLACE "^file +" "")
    list(TRANSFORM edited STRIP)
    list(REMOVE_DUPLICATES edited)
    list(TRANSFORM edited PREPEND ${tree}/ OUTPUT_VARIABLE outputs)
    list(TRANSFORM edited PREPEND ${CMAKE_SOURCE_DIR}/ OUTPUT_VARIABLE inputs)
    add_custom_command(
      OUTPUT ${outputs}
      COMMAND w4_zoo_edit ${edit} ${CMAKE_SOURCE_DIR} ${tree}
      DEPENDS ${edit} ${inputs} w4_zoo_edit
      COMMENT "Defect ${id}" VERBATIM)
  endif()

  set(sources "")
  foreach(name IN LISTS W4_KERNEL_HOST_SOURCES ITEMS module_entry.cpp)
    if(kernels/${name} IN_LIST edited)
      list(APPEND sources ${tree}/kernels/${name})
    else()
      list(APPEND sources ${CMAKE_SOURCE_DIR}/kernels/${name})
    endif()
  endforeach()

  set(device_files ${edited})
  list(FILTER device_files INCLUDE REGEX "^kernels/(decode[.]hip|device[.]h|dequant[.]h|decode_args[.]h)$")
  if(device_files OR A_OPT)
    set(hip ${CMAKE_SOURCE_DIR}/kernels/decode.hip)
    if(kernels/decode.hip IN_LIST edited)
      set(hip ${tree}/kernels/decode.hip)
    endif()
    file(RELATIVE_PATH include ${CMAKE_SOURCE_DIR} ${tree})
    w4_decode_objects(objects ARCHS gfx1151 SOURCE ${hip} TAG _${id} OPT ${A_OPT} GROUPS ${A_GROUPS}
      FLAGS -I${include} DEPENDS ${outputs})
    w4_embed_decode(embedded OBJECTS ${objects} TAG _${id})
    list(APPEND sources ${embedded})
  else()
    list(APPEND sources $<TARGET_OBJECTS:w4_decode_gfx1151>)
  endif()

  set(target w4_module_${id})
  add_library(${target} MODULE ${sources} ${outputs})
  # Copies first, so that an edited header is the one that every file sees.
  target_include_directories(${target} BEFORE PRIVATE ${tree} ${CMAKE_BINARY_DIR}/generated)
  target_link_libraries(${target} PRIVATE w4_options w4_core fmt::fmt ${CMAKE_DL_LIBS})
  target_compile_options(${target} PRIVATE -fvisibility=hidden -fvisibility-inlines-hidden)
  set(map ${CMAKE_SOURCE_DIR}/zoo/exports.map)
  target_link_options(${target} PRIVATE -Wl,--version-script=${map})
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME ${id} LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/modules
    LINK_DEPENDS ${map})
  set_property(GLOBAL APPEND PROPERTY W4_MODULE_IDS ${id})
endfunction()

# Writes zoo/modules.txt in the build tree: a line "id path" for every module.
function(w4_write_module_list)
  get_property(ids GLOBAL PROPERTY W4_MODULE_IDS)
  set(text "")
  foreach(id IN LISTS ids)
    string(APPEND text "${id} $<TARGET_FILE:w4_module_${id}>\n")
  endforeach()
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/modules.txt CONTENT "${text}")
endfunction()
