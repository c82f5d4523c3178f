/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What many operations of a job have the same: how they were called. It stands once for all of them, so that a job may
 * have millions. As in model.h, not known is -1 where signed, 0 where it is an address, handle or serial, "" where it
 * is text.
 */
#ifndef MPILENS_INSPECT_MODEL_OPERATION_DETAILS_H
#define MPILENS_INSPECT_MODEL_OPERATION_DETAILS_H

#include "target/site.h"

#include <stdint.h>

struct operation_details {
    const char *function;
    const char *datatype;
    uint64_t datatype_handle;
    uint64_t site_address; /* of an unexpected message: in the sender */
    const struct site *site;
    int64_t count;
    int64_t bytes;
    int64_t actual_bytes;
    int64_t partition_count;   /* of a partitioned operation */
    int64_t partitions_marked; /* ready, or seen to have arrived */
    uint32_t purpose;          /* enum mpilens_purpose, of `function` */
};

/* Zero-initialised is empty. */
struct operation_details_pool {
    void *root;                           /* tsearch tree of struct operation_details */
    const struct operation_details *last; /* that was asked for: mostly that of the next operation, too */
};

/* The pool's copy, valid until the pool is cleared; the same for the same texts, places and numbers. Texts and places
 * last as long as the pool, and are the same where they have the same address. */
const struct operation_details *operation_details_share(struct operation_details_pool *pool,
                                                        const struct operation_details *details);
void operation_details_pool_clear(struct operation_details_pool *pool);

#endif
