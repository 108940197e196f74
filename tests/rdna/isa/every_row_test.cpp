// At the end: every row of the ALU families was compared with a reference.
#include "tests/rdna/isa/compared.h"
#include "tests/rdna/isa/wave_fixture.h"

namespace w4::rdna::test {
namespace {

const auto* const kAtTheEnd =
    testing::AddGlobalTestEnvironment(new EveryRowCompared(isa_rows(), {}));

}  // namespace
}  // namespace w4::rdna::test
