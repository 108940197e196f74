execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
  OUTPUT_VARIABLE hash OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE no_git)
if(no_git)
  set(hash "unknown")
else()
  execute_process(COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no
    OUTPUT_VARIABLE changes OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(changes)
    # Two states of a changed tree are two builds: a store must not take one for the other.
    execute_process(COMMAND git -C ${SOURCE} diff HEAD COMMAND git -C ${SOURCE} hash-object --stdin
      OUTPUT_VARIABLE diff OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    string(SUBSTRING "${diff}" 0 8 diff)
    string(APPEND hash "+${diff}")
  endif()
endif()
set(text "// Generated: which build produced a verdict.\n#pragma once\nnamespace w4 {\ninline constexpr const char* kVersion = \"${VERSION}\";\ninline constexpr const char* kBuildId = \"${VERSION} ${hash} ${FLAGS}\";\n}  // namespace w4\n")
if(EXISTS ${OUT})
  file(READ ${OUT} old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE ${OUT} "${text}")
endif()
