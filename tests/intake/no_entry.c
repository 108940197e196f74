int w4_nothing(void) { return 0; }
