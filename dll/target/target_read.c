/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads memory of the target: from pieces fetched ahead, else from the debugger.
 */
#include "target/target.h"

int target_read(const struct target *target, uint64_t address, size_t bytes, void *ret_bytes)
{
    if (target->ahead != NULL && read_ahead_get(target->ahead, address, bytes, ret_bytes))
        return mqs_ok;
    return target_fetch(target, address, bytes, ret_bytes);
}

int target_copy(const struct target *target, uint64_t address, size_t bytes, void *ret_bytes)
{
    const int code = copy_budget_take(target->budget, bytes);
    return code == mqs_ok ? target_read(target, address, bytes, ret_bytes) : code;
}
