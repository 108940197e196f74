/* A module that W4_DIES ends before there is a table: constructor, entry, exit, hang. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/module.h"

static int dies(const char* how) {
  const char* said = getenv("W4_DIES");
  return said != NULL && strcmp(said, how) == 0;
}

__attribute__((constructor)) static void constructor(void) {
  if (dies("constructor")) {
    fputs("cannot be constructed\n", stderr);
    abort();
  }
  while (dies("hang")) pause();
}

const w4_module* w4_module_v1(void) {
  if (dies("entry")) abort();
  if (dies("exit")) exit(5);
  if (dies("nonsense")) return (const w4_module*)16;
  return NULL;
}
