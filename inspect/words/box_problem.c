/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Says why a process has no black box, or not all of it.
 */
#include "words/words.h"

#include "base/base.h"

#include <errno.h>
#include <string.h>

static const char *describe_error(int error)
{
    return error == ENOSPC ? "its file system is full, or in memory and more than half full" : strerror(error);
}

const char *describe_box_problem(const struct process *process)
{
    switch (process->box_state) {
    case MPILENS_BOX_CUT:
        return arena_text("the black box lacks what came later: %s", describe_error(process->box_error));
    case MPILENS_BOX_FAILED:
        return arena_text("there is no black box: %s", describe_error(process->box_error));
    default:
        return NULL;
    }
}
