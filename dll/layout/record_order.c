/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The words of each kind of record that order the rest, and the copies in which they count.
 */
#include "layout/layout.h"

#include "target/target.h"

#include <stdbool.h>
#include <string.h>

enum word_use {
    TAKEN,   /* the value from this copy counts */
    ALIKE,   /* the same as in the content, or the record was given to something else */
    NOT_ZERO /* or it is not published */
};

struct ordered_word {
    enum mpilens_field field;
    uint8_t copy;
    uint8_t use; /* enum word_use */
};

struct record_order {
    uint8_t copies;
    uint8_t content;
    const struct ordered_word *words;
    size_t word_count;
    enum mpilens_field collectives; /* recent collective calls; 0: it has none */
    enum mpilens_field texts;       /* 0: it has none */
};

/* Read before it counts as whole: that it was published (posted), what has become of it (state); read after: that
 * nothing else was begun in its place (posted_check). */
static const struct ordered_word operation_words[] = {
    {MPILENS_FIELD_operation_posted, 0, TAKEN},
    {MPILENS_FIELD_operation_state, 1, TAKEN},
    {MPILENS_FIELD_operation_posted_check, 3, TAKEN},
};

/* An object is published by its state, and the serial tells it from what stands in its place next. */
#define OBJECT_WORDS(name)                                                                                             \
    {MPILENS_FIELD_##name##_serial, 0, ALIKE}, {MPILENS_FIELD_##name##_state, 1, TAKEN},                               \
        {MPILENS_FIELD_##name##_state, 3, NOT_ZERO},                                                                   \
    {                                                                                                                  \
        MPILENS_FIELD_##name##_serial, 4, ALIKE                                                                        \
    }

static const struct ordered_word communicator_words[] = {OBJECT_WORDS(communicator)};
static const struct ordered_word group_words[] = {OBJECT_WORDS(group)};
static const struct ordered_word datatype_words[] = {OBJECT_WORDS(datatype)};
static const struct ordered_word op_words[] = {OBJECT_WORDS(op)};
static const struct ordered_word errhandler_words[] = {OBJECT_WORDS(errhandler)};
static const struct ordered_word info_words[] = {OBJECT_WORDS(info)};
static const struct ordered_word keyval_words[] = {OBJECT_WORDS(keyval)};
static const struct ordered_word session_words[] = {OBJECT_WORDS(session)};
static const struct ordered_word file_words[] = {OBJECT_WORDS(file)};
/* The array of locks has at least as many as were counted before its address was read. */
static const struct ordered_word window_words[] = {OBJECT_WORDS(window), {MPILENS_FIELD_window_lock_count, 0, TAKEN}};

static const struct ordered_word channel_words[] = {{MPILENS_FIELD_channel_state, 0, TAKEN}};
static const struct ordered_word message_words[] = {{MPILENS_FIELD_message_state, 0, TAKEN}};
static const struct ordered_word attribute_words[] = {{MPILENS_FIELD_attribute_state, 0, TAKEN}};
static const struct ordered_word partitions_words[] = {{MPILENS_FIELD_partitions_state, 0, TAKEN}};
static const struct ordered_word unexpected_words[] = {{MPILENS_FIELD_unexpected_state, 0, TAKEN}};

#define WORDS(name)           .words = name##_words, .word_count = sizeof name##_words / sizeof name##_words[0]
#define OBJECT_ORDER(name)    .copies = 5, .content = 2, WORDS(name)
#define STATE_FIRST(name)     .copies = 2, .content = 1, WORDS(name)
#define HAS_COLLECTIVES(name) .collectives = MPILENS_FIELD_##name##_recent_collectives

/* Threads are not here: snapshot_read compares whole copies of them. */
static const struct record_order orders[MPILENS_STRUCT_COUNT] = {
    [MPILENS_STRUCT_operation] = {.copies = 4, .content = 2, WORDS(operation)},
    [MPILENS_STRUCT_communicator] = {OBJECT_ORDER(communicator), HAS_COLLECTIVES(communicator),
                                     .texts = MPILENS_FIELD_communicator_hints},
    [MPILENS_STRUCT_group] = {OBJECT_ORDER(group)},
    [MPILENS_STRUCT_datatype] = {OBJECT_ORDER(datatype)},
    [MPILENS_STRUCT_op] = {OBJECT_ORDER(op)},
    [MPILENS_STRUCT_errhandler] = {OBJECT_ORDER(errhandler)},
    [MPILENS_STRUCT_info] = {OBJECT_ORDER(info), .texts = MPILENS_FIELD_info_entries},
    [MPILENS_STRUCT_keyval] = {OBJECT_ORDER(keyval)},
    [MPILENS_STRUCT_session] = {OBJECT_ORDER(session), .texts = MPILENS_FIELD_session_process_sets},
    [MPILENS_STRUCT_window] = {OBJECT_ORDER(window), HAS_COLLECTIVES(window), .texts = MPILENS_FIELD_window_hints},
    [MPILENS_STRUCT_file] = {OBJECT_ORDER(file), HAS_COLLECTIVES(file), .texts = MPILENS_FIELD_file_hints},
    [MPILENS_STRUCT_channel] = {STATE_FIRST(channel)},
    [MPILENS_STRUCT_message] = {STATE_FIRST(message)},
    [MPILENS_STRUCT_attribute] = {STATE_FIRST(attribute)},
    [MPILENS_STRUCT_partitions] = {STATE_FIRST(partitions)},
    [MPILENS_STRUCT_unexpected] = {STATE_FIRST(unexpected)},
};

size_t record_order_copies(enum mpilens_struct number)
{
    return !LOADS_ARE_ORDERED && orders[number].copies > 1 ? orders[number].copies : 1;
}

size_t record_order_content(enum mpilens_struct number)
{
    return LOADS_ARE_ORDERED ? 0 : orders[number].content;
}

static bool is_zero(const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

/* False: the record is not what it was. */
static bool use_word(const struct ordered_word *word, uint8_t *content, const uint8_t *copy)
{
    const struct field_shape *shape = &field_shapes[word->field];
    uint8_t *ours = content + shape->offset;
    const uint8_t *theirs = copy + shape->offset;
    switch (word->use) {
    case TAKEN:
        memcpy(ours, theirs, shape->element_bytes);
        return true;
    case ALIKE:
        return memcmp(ours, theirs, shape->element_bytes) == 0;
    default:
        return !is_zero(theirs, shape->element_bytes);
    }
}

/* A call whose place was taken by a later one has no serial. */
static void complete_collectives(const struct field_shape *shape, uint8_t *content, const uint8_t *first,
                                 const uint8_t *last)
{
    for (uint32_t i = 0; i < shape->elements; i++) {
        const size_t offset = shape->offset + (size_t)i * shape->element_bytes;
        struct mpilens_collective *call = (struct mpilens_collective *)(void *)(content + offset);
        const struct mpilens_collective *before = (const struct mpilens_collective *)(const void *)(first + offset);
        const struct mpilens_collective *after = (const struct mpilens_collective *)(const void *)(last + offset);
        if (call->serial != before->serial || call->serial != after->serial)
            call->serial = 0;
    }
}

/* The block has at least as many bytes as were counted before its address was read. */
static void complete_texts(const struct field_shape *shape, uint8_t *content, const uint8_t *first)
{
    struct mpilens_texts *texts = (struct mpilens_texts *)(void *)(content + shape->offset);
    const struct mpilens_texts *before = (const struct mpilens_texts *)(const void *)(first + shape->offset);
    texts->bytes = before->bytes;
    texts->count = before->count;
}

void record_order_complete(enum mpilens_struct number, uint8_t *const copies[])
{
    const struct record_order *order = &orders[number];
    uint8_t *content = copies[order->content];
    bool stays = true;
    for (size_t i = 0; i < order->word_count; i++)
        stays = use_word(&order->words[i], content, copies[order->words[i].copy]) && stays;
    if (order->collectives != 0)
        complete_collectives(&field_shapes[order->collectives], content, copies[0], copies[order->copies - 1]);
    if (order->texts != 0)
        complete_texts(&field_shapes[order->texts], content, copies[0]);
    if (!stays)
        memset(content, 0, sizeof(uint32_t)); /* state */
}
