/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gives back objects of the model.
 */
#include "model/model.h"

#include <stdlib.h>

bool object_is_left(const struct object *object)
{
    return object->freed && object->users == 0 && (object->window != NULL || object->file != NULL);
}

uint64_t freed_object_calls(const struct freed_object *object, bool with_freeing)
{
    return object->calls - (!with_freeing && object->calls > 0 && object->function[0] != '\0');
}

void window_destroy(struct window *window)
{
    if (window == NULL)
        return;
    free(window->locks);
    free(window);
}

const char *function_of_any_count(const char *function, const char *small_count)
{
    return small_count != NULL && small_count[0] != '\0' ? small_count : function;
}

void collective_calls_clear(struct collective_call *calls, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(calls[i].amounts);
    free(calls);
}

void object_clear(struct object *object)
{
    collective_calls_clear(object->collectives, object->collective_call_count);
    window_destroy(object->window);
    free(object->file);
}
