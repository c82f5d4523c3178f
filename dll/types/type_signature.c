/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Computes type signatures: goes down the tree of constructors. The cost per copy of a process is bounded, whatever its
 * types.
 */
#include "types/types.h"

#include "target/target.h"

#include <string.h>

enum {
    DEPTH = 64,
    KEPT = 64,            /* datatypes whose sequences are kept */
    MOST_STEPS = 1 << 20, /* items of constructors */
    TYPE_STEPS = 64       /* that a datatype costs besides its items: its arguments must be fetched */
};

struct kept_sequence {
    const struct mpilens_datatype *datatype; /* NULL: none */
    struct type_sequence sequence;
    bool is_comparable;
};

struct type_signatures {
    struct type_source source;
    struct kept_sequence kept[KEPT];
    int64_t steps;
};

static bool find_sequence(struct type_signatures *all, const struct mpilens_datatype *datatype, size_t depth,
                          struct type_sequence *ret_sequence);

static bool add_elements(struct type_signatures *all, const struct mpilens_datatype *datatype, int64_t count,
                         size_t depth, struct type_sequence *sequence)
{
    struct type_sequence element;
    if (datatype == NULL || count == 0)
        return true;
    if (!find_sequence(all, datatype, depth, &element))
        return false;
    *sequence = type_sequence_join(*sequence, type_sequence_repeat(element, (uint64_t)count));
    return true;
}

/* Items of the same datatype in a row are taken together: there may be very many. */
static bool join_items(struct type_signatures *all, const struct mpilens_datatype *datatype, size_t depth,
                       struct type_sequence *ret_sequence)
{
    struct type_sequence sequence = type_sequence_empty();
    const struct mpilens_datatype *element = NULL;
    int64_t count = 0;
    for (uint64_t number = 0;; number++) {
        struct type_item item;
        int64_t elements = 0;
        const int code =
            all->steps++ < MOST_STEPS ? type_content_get(&all->source, datatype, number, &item) : mqs_no_information;
        if (code == mqs_end_of_list)
            break;
        if (code != mqs_ok || __builtin_mul_overflow(item.count, item.outer_count, &elements))
            return false;
        if (item.datatype != element) {
            if (!add_elements(all, element, count, depth, &sequence))
                return false;
            element = item.datatype;
            count = 0;
        }
        if (__builtin_add_overflow(count, elements, &count))
            return false;
    }
    if (!add_elements(all, element, count, depth, &sequence))
        return false;
    *ret_sequence = sequence;
    return true;
}

static bool find_sequence(struct type_signatures *all, const struct mpilens_datatype *datatype, size_t depth,
                          struct type_sequence *ret_sequence)
{
    if (type_is_basic(datatype))
        return basic_signature(datatype, ret_sequence);
    struct kept_sequence *kept = &all->kept[datatype->serial % KEPT];
    if (kept->datatype != datatype) {
        struct kept_sequence found = {.datatype = datatype, .sequence = type_sequence_empty()};
        all->steps += TYPE_STEPS;
        found.is_comparable = depth < DEPTH && join_items(all, datatype, depth + 1, &found.sequence);
        *kept = found;
    }
    *ret_sequence = kept->sequence;
    return kept->is_comparable;
}

static struct type_signatures *signatures_of(const struct reading *reading, struct type_signatures **signatures)
{
    if (*signatures != NULL)
        return *signatures;
    struct type_signatures *all = allocate_array(1, sizeof *all);
    if (all == NULL)
        return NULL;
    memset(all, 0, sizeof *all);
    all->source = (struct type_source){
        .target = &reading->target, .copy = &reading->snapshot, .big_endian = reading->root.offsets.header.big_endian};
    *signatures = all;
    return all;
}

uint64_t type_signature(const struct reading *reading, struct type_signatures **signatures, int64_t count,
                        const struct mpilens_datatype *datatype)
{
    struct type_sequence element = type_sequence_empty();
    if (count < 0 || (count > 0 && datatype == NULL))
        return 0;
    if (count > 0 && type_is_basic(datatype)) {
        if (!basic_signature(datatype, &element))
            return 0;
    } else if (count > 0) {
        struct type_signatures *all = signatures_of(reading, signatures);
        if (all == NULL || !find_sequence(all, datatype, 0, &element))
            return 0;
    }
    return type_sequence_number(type_sequence_repeat(element, (uint64_t)count));
}

void type_signatures_free(struct type_signatures *all)
{
    if (all != NULL)
        type_source_free(&all->source);
    release(all);
}
