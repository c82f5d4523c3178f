/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the locks of windows.
 */
#include "snapshot/snapshot.h"

#include "layout/layout.h"
#include "target/target.h"

/* More windows with locks, or more locks of one, are treated as corrupt. */
enum { MOST_WINDOWS = 1024, MOST_LOCKS = 1 << 20, MOST_LOCK_BYTES = 4096 };

/* Where the array of a window's locks is now. Read after their count: it has no fewer. */
static int read_address(const struct reading *reading, const struct mpilens_window *window, uint64_t *ret_address)
{
    const struct field_place *place = &reading->root.offsets.fields[MPILENS_FIELD_window_locks];
    const uint64_t record = table_copy_address_of(&reading->snapshot.tables[MPILENS_TABLE_WINDOWS], window);
    uint8_t bytes[sizeof *ret_address];
    if (place->size == 0 || place->size > sizeof bytes)
        return MPILENS_ERROR_CORRUPT;
    int code = target_read(&reading->target, record + place->offset, place->size, bytes);
    if (code == mqs_ok)
        *ret_address = decode_integer(bytes, place->size, reading->root.offsets.header.big_endian);
    return code;
}

/* Returns MPILENS_ERROR_NO_MEMORY or mqs_ok, with what else is wrong in locks->code. */
static int read_locks(struct reading *reading, const struct mpilens_window *window, struct window_locks *locks)
{
    const struct offsets *offsets = &reading->root.offsets;
    const size_t size = offsets->struct_size[MPILENS_STRUCT_window_lock];
    locks->code = MPILENS_ERROR_CORRUPT;
    if (size == 0 || size > MOST_LOCK_BYTES || window->lock_count > MOST_LOCKS)
        return mqs_ok;
    uint8_t *bytes = allocate_array(window->lock_count, size);
    struct mpilens_window_lock *copies = allocate_array(window->lock_count, sizeof *copies);
    uint64_t address = 0;
    locks->code = bytes != NULL && copies != NULL ? read_address(reading, window, &address) : MPILENS_ERROR_NO_MEMORY;
    if (locks->code == mqs_ok)
        locks->code = target_copy(&reading->target, address, window->lock_count * size, bytes);
    for (uint32_t i = 0; locks->code == mqs_ok && i < window->lock_count; i++)
        decode_struct(offsets, MPILENS_STRUCT_window_lock, bytes + i * size, &copies[i]);
    release(bytes);
    if (locks->code == mqs_ok) {
        locks->locks = copies;
        locks->count = window->lock_count;
        return mqs_ok;
    }
    release(copies);
    return locks->code == MPILENS_ERROR_NO_MEMORY ? MPILENS_ERROR_NO_MEMORY : mqs_ok;
}

static int add(struct reading *reading, const struct mpilens_window *window)
{
    struct snapshot *snapshot = &reading->snapshot;
    if (snapshot->locked_window_count == MOST_WINDOWS)
        return mqs_ok;
    const size_t number = snapshot->locked_window_count++;
    struct window_locks *locks = &snapshot->window_locks[number];
    *locks = (struct window_locks){mqs_ok, 0, NULL};
    snapshot->locked_windows[number] = (struct sort_entry){.major = (uintptr_t)window, .middle = number, .item = locks};
    return read_locks(reading, window, locks);
}

int snapshot_read_window_locks(struct reading *reading)
{
    struct snapshot *snapshot = &reading->snapshot;
    const struct table_copy *copy = &snapshot->tables[MPILENS_TABLE_WINDOWS];
    const size_t limit = copy->record_count < MOST_WINDOWS ? copy->record_count : MOST_WINDOWS;
    if (limit == 0)
        return mqs_ok;
    snapshot->window_locks = allocate_array(limit, sizeof *snapshot->window_locks);
    snapshot->locked_windows = allocate_array(limit, sizeof *snapshot->locked_windows);
    int code = snapshot->window_locks != NULL && snapshot->locked_windows != NULL ? mqs_ok : MPILENS_ERROR_NO_MEMORY;
    for (size_t i = 0; code == mqs_ok && i < copy->record_count; i++) {
        const struct mpilens_window *window = table_copy_record(copy, i);
        if (window->state != 0 && window->lock_count > 0)
            code = add(reading, window);
    }
    return code == mqs_ok ? sort_entries(snapshot->locked_windows, snapshot->locked_window_count) : code;
}
