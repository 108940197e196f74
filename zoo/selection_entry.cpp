// What a module of the zoo has beside w4_module_v1: its selection table, for the audits. Read by
// the program of the same build only.
#include "kernels/selection.h"

extern "C" __attribute__((visibility("default"))) const w4::SelectionTable* w4_zoo_selection() {
  return &w4::builtin_selection();
}
