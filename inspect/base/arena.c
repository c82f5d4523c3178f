/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps texts until everything that was made with them is done.
 */
#include "base/base.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 4 << 10 };

struct arena_block {
    struct arena_block *previous;
    size_t used, size;
    char bytes[];
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
    const size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
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

void arena_release(struct arena_mark mark)
{
    struct arena *arena = current_arena();
    while (arena->last != mark.block) {
        struct arena_block *block = arena->last;
        arena->last = block->previous;
        free(block);
    }
    if (arena->last != NULL)
        arena->last->used = mark.used;
}

void arena_clear(struct arena *arena)
{
    struct arena *before = arena_use(arena);
    arena_release((struct arena_mark){.block = NULL});
    arena_use(before);
}
