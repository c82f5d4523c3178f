/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collects the last collective calls on a communicator, window or file.
 */
#include "collect/collect_internal.h"

#include "base/base.h"

/* Only the last of the calls that are over matter: others may be in them still. */
static bool may_be_waited_in(const struct exchange *exchange, const struct collective_call *call)
{
    return call->active || call->serial + 2 > exchange->communicator->collective_calls;
}

int collect_collectives(const struct collection *collection, next_collective_function *next, struct exchange *exchange,
                        struct collective_call **calls, size_t *count)
{
    for (;;) {
        struct mpilens_collective_information information = {.struct_size = sizeof information};
        const int code = next(collection->handle, &information);
        if (code != mqs_ok)
            return collection_end(code);
        *calls = array_append(*calls, count, sizeof **calls);
        (*calls)[*count - 1] = model_collective_call(collection, &information);
        (*calls)[*count - 1].has_own_op = information.op_function != 0;
        if (exchange != NULL && may_be_waited_in(exchange, &(*calls)[*count - 1]))
            collect_amounts(collection, exchange, &(*calls)[*count - 1]);
    }
}
