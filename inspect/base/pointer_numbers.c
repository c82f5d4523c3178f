/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers pointers: a hash table that is never more than half full.
 */
#include "base/base.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 256 };

static struct pointer_number *find_entry(const struct pointer_numbers *numbers, const void *pointer)
{
    const uint64_t hash = (uint64_t)(uintptr_t)pointer * UINT64_C(0x9e3779b97f4a7c15);
    size_t place = (size_t)(hash >> 20) & (numbers->capacity - 1);
    while (numbers->entries[place].pointer != NULL && numbers->entries[place].pointer != pointer)
        place = (place + 1) & (numbers->capacity - 1);
    return &numbers->entries[place];
}

static void grow(struct pointer_numbers *numbers)
{
    const struct pointer_numbers before = *numbers;
    numbers->capacity = before.capacity > 0 ? before.capacity * 2 : FIRST_CAPACITY;
    numbers->entries = allocate(numbers->capacity * sizeof *numbers->entries);
    for (size_t i = 0; i < before.capacity; i++)
        if (before.entries[i].pointer != NULL)
            *find_entry(numbers, before.entries[i].pointer) = before.entries[i];
    free(before.entries);
}

int64_t *pointer_numbers_find(struct pointer_numbers *numbers, const void *pointer)
{
    if (numbers->count >= numbers->capacity / 2)
        grow(numbers);
    struct pointer_number *entry = find_entry(numbers, pointer);
    if (entry->pointer == NULL) {
        entry->pointer = pointer;
        numbers->count++;
    }
    return &entry->number;
}

void pointer_numbers_clear(struct pointer_numbers *numbers)
{
    free(numbers->entries);
    *numbers = (struct pointer_numbers){0};
}
