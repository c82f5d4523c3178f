/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps texts and arrays until everything that was made with them is done.
 *
 * Texts lie in blocks. Arrays grow, so that each has memory of its own, which belongs to a slot in a block.
 */
#include "base/base.h"

#include <stdalign.h>

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK_BYTES = 256, BLOCK_BYTES = 4 << 10 };

struct arena_block {
    struct arena_block *previous;
    struct arena_slot *slots; /* in it, the last one first */
    size_t used, size;
    alignas(max_align_t) char bytes[];
};

struct arena_slot {
    struct arena_slot *before;
    struct arena_array *array;
};

struct arena_array {
    struct arena_slot *slot;
    alignas(max_align_t) char elements[];
};

struct arena_node {
    void *item;
    struct arena_node *below[2]; /* lesser, greater */
    size_t weight;               /* not below those under it: random, which keeps the tree flat */
};

struct arena_stream {
    struct arena_stream *outer;
    FILE *stream;
    char *text;
};

static _Thread_local struct arena whole_run;
static _Thread_local struct arena *current;
static _Thread_local struct arena_stream *open_streams;

static struct arena *current_arena(void)
{
    return current != NULL ? current : &whole_run;
}

struct arena *arena_use(struct arena *arena)
{
    struct arena *before = current;
    current = arena;
    return before;
}

static size_t room(const struct arena *arena)
{
    return arena->last != NULL ? arena->last->size - arena->last->used : 0;
}

static void add_block(struct arena *arena, size_t bytes)
{
    const size_t usual = arena->last == NULL ? FIRST_BLOCK_BYTES : BLOCK_BYTES; /* many arenas stay small */
    const size_t size = bytes > usual ? bytes : usual;
    struct arena_block *block = allocate(sizeof *block + size);
    *block = (struct arena_block){.previous = arena->last, .size = size};
    arena->last = block;
}

/* The place of the next text, with room for at least `bytes`. */
static char *begin(struct arena *arena, size_t bytes)
{
    if (room(arena) < bytes)
        add_block(arena, bytes);
    return arena->last->bytes + arena->last->used;
}

const char *arena_copy(const char *text)
{
    struct arena *arena = current_arena();
    const size_t bytes = strlen(text) + 1;
    char *copy = begin(arena, bytes);
    memcpy(copy, text, bytes);
    arena->last->used += bytes;
    return copy;
}

const char *arena_take(char *text)
{
    const char *taken = text != NULL ? arena_copy(text) : NULL;
    free(text);
    return taken;
}

const char *arena_text(const char *format, ...)
{
    struct arena *arena = current_arena();
    char *text = begin(arena, 1);
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(text, room(arena), format, arguments);
    if (length >= 0 && (size_t)length >= room(arena)) {
        text = begin(arena, (size_t)length + 1);
        vsnprintf(text, room(arena), format, again);
    }
    va_end(again);
    va_end(arguments);
    arena->last->used += length >= 0 ? (size_t)length + 1 : 0;
    return length >= 0 ? text : "";
}

void *arena_allocate(size_t bytes)
{
    struct arena *arena = current_arena();
    const size_t alignment = alignof(max_align_t);
    char *place = begin(arena, bytes + alignment);
    place += -(uintptr_t)place & (alignment - 1);
    arena->last->used = (size_t)(place + bytes - arena->last->bytes);
    return memset(place, 0, bytes);
}

static struct arena_array *array_of(void *elements)
{
    return (struct arena_array *)(void *)((char *)elements - offsetof(struct arena_array, elements));
}

static struct arena_slot *add_slot(void)
{
    struct arena_slot *slot = arena_allocate(sizeof *slot);
    struct arena_block *block = current_arena()->last;
    slot->before = block->slots;
    block->slots = slot;
    return slot;
}

void *arena_extend(void *array, size_t *count, size_t more, size_t element_bytes)
{
    if (array == NULL && more == 0)
        return NULL;
    struct arena_slot *slot = array != NULL ? array_of(array)->slot : add_slot();
    slot->array = array_grow(slot->array, sizeof *slot->array, count, more, element_bytes);
    slot->array->slot = slot;
    return slot->array->elements;
}

void *arena_append(void *array, size_t *count, size_t element_bytes)
{
    return array_has_room(*count) ? array_append(array, count, element_bytes)
                                  : arena_extend(array, count, 1, element_bytes);
}

void arena_drop(void *array)
{
    if (array == NULL)
        return;
    struct arena_slot *slot = array_of(array)->slot;
    free(slot->array);
    slot->array = NULL;
}

static struct arena_node *insert(struct arena_node *top, void *item, int (*compare)(const void *, const void *),
                                 struct arena_node **ret_node)
{
    static _Thread_local size_t weight = 1;
    if (top == NULL) {
        weight = weight * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        *ret_node = top = arena_allocate(sizeof *top);
        *top = (struct arena_node){.item = item, .weight = weight >> 16};
        return top;
    }
    const int order = compare(item, top->item);
    *ret_node = top;
    if (order == 0)
        return top;
    const bool side = order > 0;
    struct arena_node *below = insert(top->below[side], item, compare, ret_node);
    top->below[side] = below;
    if (below->weight <= top->weight)
        return top;
    top->below[side] = below->below[!side];
    below->below[!side] = top;
    return below;
}

void *arena_search(void *item, struct arena_node **tree, int (*compare)(const void *, const void *))
{
    struct arena_node *found;
    *tree = insert(*tree, item, compare, &found);
    return found->item;
}

void *arena_find(const void *item, const struct arena_node *tree, int (*compare)(const void *, const void *))
{
    for (int order; tree != NULL && (order = compare(item, tree->item)) != 0;)
        tree = tree->below[order > 0];
    return tree != NULL ? tree->item : NULL;
}

/* NOLINTNEXTLINE(misc-no-recursion): the tree is flat */
void arena_visit(const struct arena_node *tree, void (*visit)(const void *item, void *context), void *context)
{
    for (; tree != NULL; tree = tree->below[1]) {
        arena_visit(tree->below[0], visit, context);
        visit(tree->item, context);
    }
}

FILE *arena_open(void)
{
    struct arena_stream *opened = allocate(sizeof *opened);
    opened->stream = open_text(&opened->text);
    opened->outer = open_streams;
    open_streams = opened;
    return opened->stream;
}

const char *arena_close(FILE *stream)
{
    struct arena_stream **place = &open_streams;
    while ((*place)->stream != stream)
        place = &(*place)->outer;
    struct arena_stream *closed = *place;
    *place = closed->outer;
    fclose(stream);
    const char *text = arena_take(closed->text);
    free(closed);
    return text;
}

struct arena_mark arena_mark(void)
{
    const struct arena_block *last = current_arena()->last;
    return (struct arena_mark){.block = last, .used = last != NULL ? last->used : 0};
}

/* Those behind its first bytes. */
static void free_arrays(struct arena_block *block, size_t kept)
{
    while (block->slots != NULL && (const char *)block->slots >= block->bytes + kept) {
        free(block->slots->array);
        block->slots = block->slots->before;
    }
}

void arena_release(struct arena_mark mark)
{
    struct arena *arena = current_arena();
    while (arena->last != mark.block) {
        struct arena_block *block = arena->last;
        arena->last = block->previous;
        free_arrays(block, 0);
        free(block);
    }
    if (arena->last == NULL)
        return;
    free_arrays(arena->last, mark.used);
    arena->last->used = mark.used;
}

void arena_join(struct arena *arena)
{
    struct arena *into = current_arena();
    struct arena_block *first = arena->last;
    if (first == NULL)
        return;
    while (first->previous != NULL)
        first = first->previous;
    first->previous = into->last;
    into->last = arena->last;
    arena->last = NULL;
}

void arena_clear(struct arena *arena)
{
    struct arena *before = arena_use(arena);
    arena_release((struct arena_mark){.block = NULL});
    arena_use(before);
}
