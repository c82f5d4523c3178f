/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gives back objects of the model.
 */
#include "model/model_objects.h"

#include <stdlib.h>

bool object_is_left(const struct object *object)
{
    return object->freed && object->users == 0 && (object->window != NULL || object->file != NULL);
}

void window_destroy(struct window *window)
{
    if (window == NULL)
        return;
    free(window->locks);
    free(window);
}

void object_clear(struct object *object)
{
    free(object->collectives);
    window_destroy(object->window);
    free(object->file);
}
