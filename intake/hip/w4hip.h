/* libw4hip is a HIP runtime whose device is emulated: a program or a shared object that was built
 * for HIP links it, or has it preloaded, in place of libamdhip64. C only.
 *
 * A process on its own gets a device as the environment says (docs/w4hip.md). Inside w4check a
 * module's host code calls HIP functions, and they have to reach the device of the case: whoever
 * calls that host code binds it first.
 */
#ifndef W4_INTAKE_HIP_W4HIP_H_
#define W4_INTAKE_HIP_W4HIP_H_

#include "kernels/module.h"

#ifdef __cplusplus
extern "C" {
#endif

/* HIP calls of this thread go to `device` until they are bound anew; NULL: to the process's own.
 * Memory of a device that was bound before is gone with it. Launches fail with
 * hipErrorLaunchFailure where device->launch does not return 0, and so does every call after that.
 */
void w4hip_bind(const w4_device* device);

/* What the bound device's launch returned first that was not 0, since w4hip_bind; 0: nothing. */
int w4hip_launch_result(void);

/* What the first copy, fill, release or launch said that failed on the bound device, since
 * w4hip_bind; NULL: none did. It lives until the next w4hip_bind. */
const char* w4hip_first_error(void);

/* With `dry` not 0, launches of this thread do nothing and succeed: what a launcher would check. */
void w4hip_dry(int dry);

#ifdef __cplusplus
}
#endif
#endif
