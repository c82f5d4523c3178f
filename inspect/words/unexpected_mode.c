/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Words for the root's fields about unexpected messages.
 */
#include "words/words.h"

#include "mpilens/layout.h"

const char *describe_inexact_reason(const struct process *process)
{
    switch (process->unexpected_mode) {
    case MPILENS_UNEXPECTED_NO_LEVEL:
        return "its MPI does not provide MPI_THREAD_MULTIPLE";
    case MPILENS_UNEXPECTED_NO_SYSTEM:
        return "its kernel has no membarrier(2), or refuses a thread";
    default:
        return NULL;
    }
}
