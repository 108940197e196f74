const void* w4_module_v0(void);

const void* w4_module_v0(void) { return 0; }
