/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the pages of windows and files.
 */
#include "replies/replies.h"

#include "facts/facts.h"
#include "target/target.h"

#include "mpilens/words.h"

#include <inttypes.h>

/* Locks that are listed. */
enum { MOST_LOCKS = 1 << 16 };

/* "start of world ranks 0-3" */
static void add_group(struct text *text, const struct reading *reading, uint64_t address)
{
    const struct group_ranks *ranks = snapshot_group(&reading->snapshot, address);
    struct text_ranges ranges = {.count = 0};
    if (ranks == NULL || ranks->code != mqs_ok) {
        text_add(text, "?");
        return;
    }
    ranges.count = ranks->range_count;
    for (size_t i = 0; i < ranges.count && i < sizeof ranges.items / sizeof ranges.items[0]; i++) {
        const struct mpilens_range *range = &ranks->ranges[i].range;
        ranges.items[i] = (struct mpilens_rank_range){range->first, range->stride, range->count};
    }
    text_add_ranges(text, &ranges);
}

/* `call`: of an epoch of a group, what begins it. */
static void add_epoch(struct page_lines *page, const struct reading *reading, const char *label, uint32_t epoch,
                      const char *call, uint64_t group)
{
    const char *phrase = mpilens_epoch_phrase(epoch);
    char words[512];
    struct text text = text_begin(words, sizeof words);
    if (epoch == MPILENS_EPOCH_GROUP) {
        text_add(&text, call);
        text_add(&text, " of world ranks ");
        add_group(&text, reading, group);
    } else {
        text_add(&text, phrase != NULL ? phrase : "not known");
    }
    page_add(page, 0, label, words);
}

static void add_lock(struct page_lines *page, const struct mpilens_window_lock_information *lock)
{
    const char *type = mpilens_lock_type_phrase(lock->type);
    char label[64];
    struct text text = text_begin(label, sizeof label);
    text_add(&text, "rank ");
    text_add_rank(&text, lock->target_local, lock->target_world);
    page_add_call(page, 1, label, type != NULL ? type : "lock", lock->site, lock->locked);
}

static void add_locks(struct page_lines *page, mqs_process_info *info, uint32_t lock_count)
{
    const size_t capacity = lock_count < MOST_LOCKS ? lock_count : MOST_LOCKS;
    struct mpilens_window_lock_information *locks = capacity > 0 ? allocate_array(capacity, sizeof *locks) : NULL;
    size_t count = 0;
    if (locks == NULL)
        return;
    locks[0].struct_size = sizeof *locks;
    const int code = reply_get_window_locks(info, locks, capacity, &count);
    page_write(page, 0, "locks", "%" PRIu32, lock_count);
    for (size_t i = 0; code == mqs_ok && i < count; i++)
        add_lock(page, &locks[i]);
    if (code == mqs_ok && count < lock_count)
        page_add_more(page, 1);
    release(locks);
}

void page_window(struct page_lines *page, mqs_process_info *info)
{
    const struct reading *reading = &info->reading;
    const struct mpilens_window *record = info->object;
    struct mpilens_window_information window = {.struct_size = sizeof window};
    if (reply_get_window(info, &window) != mqs_ok)
        return;
    const char *flavor = mpilens_window_flavor_phrase(window.flavor);
    if (flavor != NULL)
        page_add(page, 0, "flavor", flavor);
    if (window.flavor != MPILENS_WINDOW_DYNAMIC) {
        page_write(page, 0, "memory", "%" PRIu64 " bytes at 0x%" PRIx64, window.bytes, window.base);
        page_write(page, 0, "displacement unit", "%d", window.displacement_unit);
    }
    add_epoch(page, reading, "access epoch", window.access_epoch, "start", record->access_group);
    add_epoch(page, reading, "exposure epoch", window.exposure_epoch, "post", record->exposure_group);
    add_locks(page, info, window.lock_count);
    if (window.synchronization[0] != '\0')
        page_add_call(page, 0, "last synchronization", window.synchronization, window.synchronization_site,
                      window.synchronization_time);
    page_write(page, 0, "operations", "%" PRIu64 ", %" PRIu64 " since they were last completed", window.operations,
               window.operations_since);
    page_write(page, 0, "unique id", "%" PRIu64 " (equal at all members)", window.id);
}

static void add_mode(struct page_lines *page, uint32_t mode)
{
    char words[256];
    struct text text = text_begin(words, sizeof words);
    for (uint32_t bit = 1; bit != 0; bit <<= 1) {
        const char *phrase = mode & bit ? mpilens_file_mode_phrase(bit) : NULL;
        if (phrase == NULL)
            continue;
        text_add(&text, words[0] != '\0' ? ", " : "");
        text_add(&text, phrase);
    }
    if (words[0] != '\0')
        page_add(page, 0, "mode", words);
}

void page_file(struct page_lines *page, mqs_process_info *info)
{
    struct mpilens_file_information file = {.struct_size = sizeof file};
    if (reply_get_file(info, &file) != mqs_ok)
        return;
    add_mode(page, file.amode);
    page_truth(page, "atomicity", file.atomicity);
    if (file.view_etype[0] != '\0' || file.view_displacement >= 0) {
        page_add(page, 0, "view", file.view_representation);
        page_write(page, 1, "displacement", "%" PRId64, file.view_displacement);
        page_add(page, 1, "etype", file.view_etype);
        page_add(page, 1, "filetype", file.view_filetype);
    }
    if (file.split_collective[0] != '\0')
        page_add_call(page, 0, "split collective", file.split_collective, file.split_collective_site, 0);
    page_write(page, 0, "operations", "%" PRIu64, file.operations);
    page_write(page, 0, "unique id", "%" PRIu64 " (equal at all members)", file.id);
}
