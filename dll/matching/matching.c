/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Matches receives with the messages that they take.
 */
#include "matching/matching_internal.h"

#include "target/target.h"

static bool is_by_sender(enum division_kind kind)
{
    return kind == DIVISION_BY_SENDER || kind == DIVISION_BY_SENDER_TAG;
}

static bool is_by_tag(enum division_kind kind)
{
    return kind == DIVISION_BY_TAG || kind == DIVISION_BY_SENDER_TAG;
}

/* By what the selections of a division differ. */
static int compare_keys(enum division_kind kind, size_t left_sender, int32_t left_tag, size_t right_sender,
                        int32_t right_tag)
{
    if (is_by_sender(kind) && left_sender != right_sender)
        return left_sender < right_sender ? -1 : 1;
    if (is_by_tag(kind) && left_tag != right_tag)
        return left_tag < right_tag ? -1 : 1;
    return 0;
}

/* Equal ones keep their order. */
static int sort_messages(const struct under_way *messages, enum division_kind kind, struct sort_entry *entries)
{
    for (size_t i = 0; i < messages->count; i++) {
        const struct message *message = &messages->items[i];
        entries[i] = (struct sort_entry){.major = is_by_sender(kind) ? message->sender : 0,
                                         .middle = is_by_tag(kind) ? signed_key(message->tag) : 0,
                                         .item = message};
    }
    return sort_entries(entries, messages->count);
}

/* Whether an entry begins a selection: it differs from the one before. */
static bool begins_selection(const struct sort_entry *entries, size_t place, enum division_kind kind)
{
    if (place == 0)
        return true;
    const struct message *message = entries[place].item;
    const struct message *previous = entries[place - 1].item;
    return compare_keys(kind, message->sender, message->tag, previous->sender, previous->tag) != 0;
}

static void select_messages(const struct under_way *messages, enum division_kind kind, const struct sort_entry *entries,
                            struct division *division)
{
    for (size_t i = 0; i < messages->count; i++) {
        const struct message *message = entries[i].item;
        division->order[i] = (uint32_t)(message - messages->items);
        if (begins_selection(entries, i, kind))
            division->selections[division->selection_count++] =
                (struct selection){.first = i, .next_free = i, .next_left = i};
        struct selection *selection = &division->selections[division->selection_count - 1];
        selection->end = i + 1;
        selection->left += is_by_sender(kind);
        division->selection_of[division->order[i]] = (uint32_t)(division->selection_count - 1);
    }
}

/* Mostly there are far fewer selections than messages. */
static int make_selections(const struct under_way *messages, enum division_kind kind, const struct sort_entry *entries,
                           struct division *division)
{
    size_t count = 0;
    for (size_t i = 0; i < messages->count; i++)
        count += begins_selection(entries, i, kind);
    division->selections = allocate_array(count, sizeof *division->selections);
    if (division->selections == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    select_messages(messages, kind, entries, division);
    return mqs_ok;
}

static int divide(const struct under_way *messages, enum division_kind kind, struct division *division)
{
    division->order = allocate_array(messages->count, sizeof *division->order);
    division->selection_of = allocate_array(messages->count, sizeof *division->selection_of);
    struct sort_entry *entries = allocate_array(messages->count, sizeof *entries);
    int code = MPILENS_ERROR_NO_MEMORY;
    if (division->order != NULL && division->selection_of != NULL && entries != NULL)
        code = sort_messages(messages, kind, entries);
    if (code == mqs_ok)
        code = make_selections(messages, kind, entries, division);
    release(entries);
    return code;
}

static struct selection *selection_of(const struct matching *matching, enum division_kind kind, size_t message)
{
    const struct division *division = &matching->divisions[kind];
    return &division->selections[division->selection_of[message]];
}

/* Counts the senders of the selections of any source. */
static void count_senders(const struct matching *matching, enum division_kind by_sender, enum division_kind any_sender)
{
    const struct division *division = &matching->divisions[by_sender];
    for (size_t i = 0; i < division->selection_count; i++)
        selection_of(matching, any_sender, division->order[division->selections[i].first])->left++;
}

int matching_begin(const struct under_way *messages, struct matching *ret_matching)
{
    struct matching matching = {.messages = messages,
                                .states = allocate_array(messages->count, sizeof *matching.states)};
    int code = matching.states != NULL && messages->count <= UINT32_MAX ? mqs_ok : MPILENS_ERROR_NO_MEMORY;
    for (size_t i = 0; code == mqs_ok && i < messages->count; i++)
        matching.states[i] = MESSAGE_FREE;
    for (enum division_kind kind = 0; code == mqs_ok && kind < DIVISION_COUNT; kind++)
        code = divide(messages, kind, &matching.divisions[kind]);
    if (code != mqs_ok) {
        matching_clear(&matching);
        return code;
    }
    count_senders(&matching, DIVISION_BY_SENDER, DIVISION_ALL);
    count_senders(&matching, DIVISION_BY_SENDER_TAG, DIVISION_BY_TAG);
    *ret_matching = matching;
    return mqs_ok;
}

static enum division_kind division_for(const struct want *want)
{
    if (want->source == ANY_MEMBER)
        return want->any_tag ? DIVISION_ALL : DIVISION_BY_TAG;
    return want->any_tag ? DIVISION_BY_SENDER : DIVISION_BY_SENDER_TAG;
}

static struct selection *find_selection(const struct matching *matching, const struct want *want)
{
    const enum division_kind kind = division_for(want);
    const struct division *division = &matching->divisions[kind];
    size_t low = 0;
    for (size_t high = division->selection_count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        const struct message *message = &matching->messages->items[division->order[division->selections[middle].first]];
        const int order = compare_keys(kind, message->sender, message->tag, want->source, want->tag);
        if (order == 0)
            return &division->selections[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* The first message of the selection, from *next on, that is in no later state. */
static size_t find_first(const struct matching *matching, const struct division *division,
                         const struct selection *selection, size_t *next, enum message_state latest)
{
    while (*next < selection->end && matching->states[division->order[*next]] > latest)
        ++*next;
    return *next < selection->end ? division->order[*next] : NO_MESSAGE;
}

bool matching_is_contested(const struct matching *matching, size_t message)
{
    for (enum division_kind kind = 0; kind < DIVISION_COUNT; kind++)
        if (selection_of(matching, kind, message)->is_contested)
            return true;
    return false;
}

static void take(struct matching *matching, size_t message)
{
    matching->states[message] = MESSAGE_TAKEN;
    if (--selection_of(matching, DIVISION_BY_SENDER_TAG, message)->left == 0)
        selection_of(matching, DIVISION_BY_TAG, message)->left--;
    if (--selection_of(matching, DIVISION_BY_SENDER, message)->left == 0)
        selection_of(matching, DIVISION_ALL, message)->left--;
}

size_t matching_take(struct matching *matching, const struct want *want, bool *ret_is_possible)
{
    *ret_is_possible = false;
    struct selection *selection = find_selection(matching, want);
    if (selection == NULL)
        return NO_MESSAGE;
    const struct division *division = &matching->divisions[division_for(want)];
    const size_t left = find_first(matching, division, selection, &selection->next_left, MESSAGE_TAKEN_POSSIBLY);
    if (left == NO_MESSAGE)
        return NO_MESSAGE;
    const size_t message = find_first(matching, division, selection, &selection->next_free, MESSAGE_FREE);
    const bool is_possible = message == NO_MESSAGE || (want->source == ANY_MEMBER && selection->left > 1) ||
                             matching_is_contested(matching, left);
    *ret_is_possible = is_possible;
    selection->is_contested |= is_possible;
    if (message != NO_MESSAGE && is_possible)
        matching->states[message] = MESSAGE_TAKEN_POSSIBLY;
    else if (message != NO_MESSAGE)
        take(matching, message);
    return message;
}

void matching_clear(struct matching *matching)
{
    for (enum division_kind kind = 0; kind < DIVISION_COUNT; kind++) {
        release(matching->divisions[kind].order);
        release(matching->divisions[kind].selection_of);
        release(matching->divisions[kind].selections);
    }
    release(matching->states);
    *matching = (struct matching){0};
}
