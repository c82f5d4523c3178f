/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the pages of communicators and groups.
 */
#include "replies/replies.h"

#include "facts/facts.h"
#include "target/target.h"

#include "mpilens/words.h"

#include <inttypes.h>

/* Longer lists of values are not written. */
enum { MOST_VALUES = 1 << 20 };

/* Values of a topology; none where they are not known. */
struct values {
    const int32_t *items;
    size_t count;
};

static void add_members(struct page_lines *page, mqs_process_info *info, const char *label, int remote)
{
    struct text_ranges ranges = {.count = 0};
    char members[512];
    struct text text = text_begin(members, sizeof members);
    if (reply_get_members(info, remote, ranges.items, sizeof ranges.items / sizeof ranges.items[0], &ranges.count) !=
        mqs_ok)
        return;
    text_add_ranges(&text, &ranges);
    page_add(page, 0, label, members);
}

static void add_values(struct page_lines *page, const char *label, struct values values, size_t first, int32_t count)
{
    enum { MOST_SHOWN = 32 };
    char list[512];
    struct text text = text_begin(list, sizeof list);
    for (int32_t i = 0; i < count && i < MOST_SHOWN && first + (size_t)i < values.count; i++) {
        text_add(&text, i > 0 ? ", " : "");
        text_add_signed(&text, values.items[first + (size_t)i]);
    }
    if (count > MOST_SHOWN)
        text_add(&text, ", ...");
    if (list[0] != '\0')
        page_add(page, 1, label, list);
}

static void write_topology(struct page_lines *page, const struct mpilens_topology *topology, struct values values)
{
    char sentence[1024];
    struct text text = text_begin(sentence, sizeof sentence);
    const int32_t first = topology->first_count > 0 ? topology->first_count : 0;
    const int32_t second = topology->second_count > 0 ? topology->second_count : 0;
    const size_t step = (size_t)first;
    const size_t weights = step + (size_t)second;
    summary_add_topology(&text, topology, values.count >= 2 * step ? values.items : NULL);
    page_add(page, 0, "topology", sentence);
    if (topology->reordered)
        page_add(page, 1, "reordered", "yes");
    if (topology->kind == MPILENS_TOPOLOGY_CARTESIAN) {
        add_values(page, "coordinates", values, 2 * step, first);
    } else if (topology->kind == MPILENS_TOPOLOGY_GRAPH) {
        add_values(page, "index", values, 0, first);
        add_values(page, "edges", values, step, second);
    } else {
        add_values(page, "sources", values, 0, first);
        add_values(page, "destinations", values, step, second);
        if (topology->weighted) {
            add_values(page, "source weights", values, weights, first);
            add_values(page, "destination weights", values, weights + step, second);
        }
    }
}

static void add_topology(struct page_lines *page, mqs_process_info *info)
{
    const struct mpilens_communicator *communicator = info->object;
    const struct mpilens_topology *topology = &communicator->topology[0];
    struct mpilens_topology_information known = {.struct_size = sizeof known};
    if (reply_get_topology(info, &known) != mqs_ok || known.kind == MPILENS_TOPOLOGY_NONE)
        return;
    int32_t *items = known.value_count > 0 && known.value_count <= MOST_VALUES
                         ? allocate_array(known.value_count, sizeof *items)
                         : NULL;
    struct values values = {items, 0};
    if (items != NULL && reply_get_topology_values(info, items, known.value_count, &values.count) != mqs_ok)
        values.count = 0;
    write_topology(page, topology, values);
    release(items);
}

static void add_collective_calls(struct page_lines *page, const struct mpilens_communicator *communicator)
{
    page_write(page, 0, "collective calls", "%" PRIu64, communicator->collective_count);
    for (uint32_t i = 0; i < MPILENS_COLLECTIVE_CLASS_COUNT; i++) {
        const struct mpilens_collective_state *state = &communicator->collective_states[i];
        const char *label = mpilens_collective_class_phrase(i);
        if (label == NULL || state->count == 0)
            continue;
        if (state->active > 0)
            page_write(page, 1, label, "%" PRIu64 ", %u under way", (uint64_t)state->count, state->active);
        else
            page_write(page, 1, label, "%" PRIu64, (uint64_t)state->count);
    }
}

void page_communicator(struct page_lines *page, mqs_process_info *info)
{
    struct mpilens_communicator_information communicator = {.struct_size = sizeof communicator};
    if (reply_get_communicator_object(info, &communicator) != mqs_ok)
        return;
    if (communicator.parent != 0)
        page_add(page, 0, "made from", page_name(communicator.parent, communicator.parent_name).text);
    page_write(page, 0, "rank", "%d", communicator.rank);
    add_members(page, info, "world ranks", 0);
    if (communicator.group != 0)
        page_hexadecimal(page, "group handle", communicator.group);
    add_members(page, info, "remote world ranks", 1);
    if (communicator.remote_group != 0)
        page_hexadecimal(page, "remote group handle", communicator.remote_group);
    add_collective_calls(page, info->object);
    page_write(page, 0, "unique id", "%" PRIu64 " (equal at all members)", communicator.id);
    add_topology(page, info);
}

void page_group(struct page_lines *page, mqs_process_info *info)
{
    const struct mpilens_group *group = info->object;
    if (group->rank >= 0)
        page_write(page, 0, "rank", "%d", group->rank);
    else
        page_add(page, 0, "rank", "none: this process is not a member");
    add_members(page, info, "world ranks", 0);
}
