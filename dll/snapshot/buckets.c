/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorts entries by bucket: they are dealt out to their buckets, then each bucket is sorted; most are small, and many
 * in order already.
 */
#include "snapshot/snapshot.h"

#include "target/target.h"

#include "mpilens/extension.h"

#include <string.h>

int buckets_create(struct buckets *buckets, size_t entry_limit, size_t bucket_count)
{
    memset(buckets, 0, sizeof *buckets);
    buckets->bucket_count = bucket_count;
    buckets->entries = allocate_array(entry_limit, sizeof *buckets->entries);
    buckets->first = allocate_array(bucket_count + 1, sizeof *buckets->first);
    return buckets->entries != NULL && buckets->first != NULL ? mqs_ok : MPILENS_ERROR_NO_MEMORY;
}

void buckets_add(struct buckets *buckets, size_t bucket, uint64_t middle, uint64_t minor, const void *item)
{
    buckets->entries[buckets->entry_count++] = (struct sort_entry){bucket, middle, minor, item};
}

/* Deals the entries out, in their order. `first` becomes where each bucket begins. */
static int deal(struct buckets *buckets)
{
    struct sort_entry *dealt = allocate_array(buckets->entry_count, sizeof *dealt);
    size_t *next = allocate_array(buckets->bucket_count + 1, sizeof *next);
    int code = MPILENS_ERROR_NO_MEMORY;
    memset(buckets->first, 0, (buckets->bucket_count + 1) * sizeof *buckets->first);
    if (dealt != NULL && next != NULL) {
        for (size_t i = 0; i < buckets->entry_count; i++)
            buckets->first[buckets->entries[i].major + 1]++;
        for (size_t bucket = 0; bucket < buckets->bucket_count; bucket++)
            buckets->first[bucket + 1] += buckets->first[bucket];
        memcpy(next, buckets->first, (buckets->bucket_count + 1) * sizeof *next);
        for (size_t i = 0; i < buckets->entry_count; i++)
            dealt[next[buckets->entries[i].major]++] = buckets->entries[i];
        release(buckets->entries);
        buckets->entries = dealt;
        dealt = NULL;
        code = mqs_ok;
    }
    release(dealt);
    release(next);
    return code;
}

int buckets_finish(struct buckets *buckets)
{
    int code = deal(buckets);
    for (size_t bucket = 0; code == mqs_ok && bucket < buckets->bucket_count; bucket++)
        code = sort_entries(buckets->entries + buckets->first[bucket],
                            buckets->first[bucket + 1] - buckets->first[bucket]);
    return code;
}

void buckets_free(struct buckets *buckets)
{
    release(buckets->entries);
    release(buckets->first);
    memset(buckets, 0, sizeof *buckets);
}

struct bucket_position buckets_begin(const struct buckets *buckets, size_t bucket)
{
    return (struct bucket_position){buckets->first[bucket], buckets->first[bucket + 1]};
}

const void *buckets_next(const struct buckets *buckets, struct bucket_position *position)
{
    return position->next < position->end ? buckets->entries[position->next++].item : NULL;
}
