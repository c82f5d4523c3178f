/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Words for ends.
 */
#include "python/python.h"

#include "base/base.h"

/* The interpreter returns it for an exception that nothing has caught; sys.exit(1) comes another way. */
enum { STATUS_OF_EXCEPTION = 1 };

bool python_has_failed(const struct python_stacks *stacks, int status)
{
    return stacks->uncaught != NULL || (stacks->has_ended && status == STATUS_OF_EXCEPTION);
}

char *python_describe_end(const struct python_stacks *stacks, int status)
{
    if (stacks->uncaught != NULL)
        return format_text("after the uncaught exception %s", stacks->uncaught);
    if (!stacks->has_ended)
        return stacks->is_ending ? copy_text("while Python shuts down") : NULL;
    switch (status) {
    case PYTHON_STATUS_UNKNOWN:
        return copy_text("after its Python program has ended");
    case PYTHON_STATUS_OF_EXIT:
        return copy_text("after its Python program has called sys.exit()");
    case 0:
        return copy_text("after its Python program has come to its end");
    case STATUS_OF_EXCEPTION:
        return copy_text("after an uncaught exception has ended its Python program (the job's output has it)");
    default:
        return format_text("after its Python program has ended with status %d", status);
    }
}
