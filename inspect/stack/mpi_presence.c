/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks for MPI by its symbols.
 */
#include "stack/stack.h"

#include "mpilens/layout.h"
#include "target/target.h"

bool target_has_mpi(struct target *target)
{
    uint64_t address;
    for (size_t i = 0; i < mpi_function_count; i++)
        if (mpi_functions[i].purpose == MPILENS_PURPOSE_INITIALIZE &&
            (target_find_symbol(target, mpi_functions[i].name, &address) ||
             target_find_program_symbol(target, mpi_functions[i].name, &address)))
            return true;
    return false;
}
