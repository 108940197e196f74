/* A w4check of another time: its workers say that they have another protocol. */
#include <stdio.h>

int main(void) {
  puts("{\"protocol\": 0, \"build\": \"of another time\"}");
  return 0;
}
