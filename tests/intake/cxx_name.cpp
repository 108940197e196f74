// The entry as C++ without module.h would export it.
__attribute__((visibility("default"))) const void* w4_module_v1() { return nullptr; }
