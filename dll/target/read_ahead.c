/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fetches ranges of the target's memory ahead of use, joining those that are near each other.
 */
#include "target/target.h"

#include <string.h>

/* Gaps between two ranges up to this are fetched with them; no piece is larger than the limit below. */
static const uint64_t gap_limit = UINT64_C(1) << 18;
static const uint64_t piece_limit = UINT64_C(1) << 24;

void read_ahead_keep(struct read_ahead *ahead, uint64_t address, size_t count, const void *bytes)
{
    uint8_t *copy = ahead->count < MOST_AHEAD_PIECES ? allocate_array(count, 1) : NULL;
    if (copy == NULL)
        return;
    memcpy(copy, bytes, count);
    ahead->pieces[ahead->count++] = (struct ahead_piece){address, count, copy};
}

static void fetch_piece(struct read_ahead *ahead, const struct target *target, uint64_t begin, uint64_t end)
{
    const size_t count = (size_t)(end - begin);
    uint8_t *bytes = ahead->count < MOST_AHEAD_PIECES && count > 0 ? allocate_array(count, 1) : NULL;
    if (bytes != NULL && copy_budget_take(target->budget, count) == mqs_ok &&
        target_fetch(target, begin, count, bytes) == mqs_ok)
        ahead->pieces[ahead->count++] = (struct ahead_piece){begin, count, bytes};
    else
        release(bytes);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void read_ahead_fetch(struct read_ahead *ahead, const struct target *target, struct sort_entry *ranges, size_t count)
{
    if (count == 0 || sort_entries(ranges, count) != mqs_ok)
        return;
    for (size_t first = 0, next = 0; first < count; first = next) {
        const uint64_t begin = ranges[first].major;
        uint64_t end = begin;
        for (next = first; next < count && target_range_is_possible(target, ranges[next].major, ranges[next].middle);
             next++) {
            const uint64_t joined = larger(end, ranges[next].major + ranges[next].middle);
            if (next > first &&
                ((ranges[next].major > end && ranges[next].major - end > gap_limit) || joined - begin > piece_limit))
                break;
            end = joined;
        }
        if (next == first)
            next++; /* no such memory */
        else if (end - begin <= piece_limit)
            fetch_piece(ahead, target, begin, end);
    }
}

bool read_ahead_get(const struct read_ahead *ahead, uint64_t address, size_t count, void *ret_bytes)
{
    for (size_t i = ahead->count; i > 0; i--) {
        const struct ahead_piece *piece = &ahead->pieces[i - 1];
        if (address < piece->address || address - piece->address > piece->count ||
            count > piece->count - (address - piece->address))
            continue;
        if (ret_bytes != NULL)
            memcpy(ret_bytes, piece->bytes + (address - piece->address), count);
        return true;
    }
    return false;
}

static bool is_steady(const struct ahead_piece *piece, const struct target *target)
{
    uint8_t *again = allocate_array(piece->count, 1);
    const bool is = again != NULL && target_fetch(target, piece->address, piece->count, again) == mqs_ok &&
                    memcmp(again, piece->bytes, piece->count) == 0;
    release(again);
    return is;
}

bool read_ahead_is_steady(const struct read_ahead *ahead, const struct target *target)
{
    for (size_t i = 0; i < ahead->count; i++)
        if (!is_steady(&ahead->pieces[i], target))
            return false;
    return true;
}

void read_ahead_free(struct read_ahead *ahead)
{
    for (size_t i = 0; i < ahead->count; i++)
        release(ahead->pieces[i].bytes);
    ahead->count = 0;
}
