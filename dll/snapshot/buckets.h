/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Items in the order in which they are shown, split by what they belong to (communicator, or communicator and queue).
 */
#ifndef MPILENS_DLL_SNAPSHOT_BUCKETS_H
#define MPILENS_DLL_SNAPSHOT_BUCKETS_H

#include "target/sort.h"

struct buckets {
    struct sort_entry *entries; /* `major` is the number of the bucket */
    size_t entry_count;
    size_t *first; /* entries [first[n], first[n + 1]) are bucket n */
    size_t bucket_count;
};

/* A place in one bucket. */
struct bucket_position {
    size_t next;
    size_t end;
};

/* Room for `entry_limit` entries. mqs_ok or MPILENS_ERROR_NO_MEMORY. */
int buckets_create(struct buckets *buckets, size_t entry_limit, size_t bucket_count);

/* `bucket` is less than bucket_count. Within a bucket, `middle`, then `minor` give the order. */
void buckets_add(struct buckets *buckets, size_t bucket, uint64_t middle, uint64_t minor, const void *item);

/* Sorts what was added. To be called once. */
int buckets_finish(struct buckets *buckets);

void buckets_free(struct buckets *buckets);

struct bucket_position buckets_begin(const struct buckets *buckets, size_t bucket);

/* The next item, NULL at the end. */
const void *buckets_next(const struct buckets *buckets, struct bucket_position *position);

#endif
