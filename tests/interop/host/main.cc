// SPDX-License-Identifier: Apache-2.0
// A program that is linked with the runtime. It checks functions, containers, reflection and enums
// of the headers, and loads the clients of both sides. The argument is the directory of the
// clients.
#include "checks.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  host::CheckFunctions();
  host::CheckSequences();
  host::CheckMappings();
  host::CheckReflection();
  host::CheckEnums();
  host::CheckClients(argv[1]);
  std::printf("%d checks, %d failures\n", host::checks, host::failures);
  return host::failures == 0 ? 0 : 1;
}
