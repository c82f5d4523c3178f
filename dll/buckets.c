/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One sort for all buckets, then the places where each begins.
 */
#include "buckets.h"

#include "callbacks.h"

#include <string.h>

int buckets_create(struct buckets *buckets, size_t entry_limit, size_t bucket_count)
{
    memset(buckets, 0, sizeof(*buckets));
    buckets->bucket_count = bucket_count;
    buckets->entries = allocate_array(entry_limit, sizeof(*buckets->entries));
    buckets->first = allocate_array(bucket_count + 1, sizeof(*buckets->first));
    return buckets->entries && buckets->first ? mqs_ok : MPILENS_ERROR_NO_MEMORY;
}

void buckets_add(struct buckets *buckets, size_t bucket, uint64_t middle, uint64_t minor, const void *item)
{
    buckets->entries[buckets->entry_count++] = (struct sort_entry){bucket, middle, minor, item};
}

int buckets_finish(struct buckets *buckets)
{
    int code = sort_entries(buckets->entries, buckets->entry_count);
    size_t at = 0;
    for (size_t bucket = 0; bucket <= buckets->bucket_count; bucket++) {
        while (at < buckets->entry_count && buckets->entries[at].major < bucket)
            at++;
        buckets->first[bucket] = at;
    }
    return code;
}

void buckets_free(struct buckets *buckets)
{
    release(buckets->entries);
    release(buckets->first);
    memset(buckets, 0, sizeof(*buckets));
}

struct bucket_position buckets_begin(const struct buckets *buckets, size_t bucket)
{
    return (struct bucket_position){buckets->first[bucket], buckets->first[bucket + 1]};
}

const void *buckets_next(const struct buckets *buckets, struct bucket_position *position)
{
    return position->next < position->end ? buckets->entries[position->next++].item : NULL;
}
