/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Turns subarrays and distributed arrays into items. An item is what lies in the dimension that runs fastest (and the
 * next one, where both are one block), at one place in the others.
 */
#include "types/types.h"

enum { MOST_DIMENSIONS = 64 };

/* Indices of one dimension: `local` of them, in blocks of `block`, `period` apart. */
struct dimension {
    int64_t size;  /* of the whole array */
    int64_t first; /* index */
    int64_t local;
    int64_t block;
    int64_t period;
    int64_t distance; /* elements between two neighbours */
};

struct grid {
    size_t count;
    struct dimension dimensions[MOST_DIMENSIONS]; /* the one that runs fastest first */
};

/* Integers at [from, from + ndims) are about the dimensions in the order of the call. */
static int64_t of_dimension(const struct datatype_arguments *arguments, uint64_t from, size_t dimension)
{
    return datatype_arguments_number(arguments, (size_t)from + dimension);
}

static bool make_subarray(const struct datatype_arguments *arguments, size_t count, size_t number,
                          struct dimension *ret_dimension)
{
    const int64_t size = of_dimension(arguments, 1, number);
    const int64_t local = of_dimension(arguments, 1 + count, number);
    const int64_t first = of_dimension(arguments, 1 + 2 * count, number);
    if (size < 1 || local < 1 || first < 0 || local > size || first > size - local)
        return false;
    *ret_dimension = (struct dimension){.size = size, .first = first, .local = local, .block = local};
    return true;
}

/* The share of `size` indices that process `place` of `processes` has. */
static bool distribute(int64_t size, int64_t distribution, int64_t argument, int64_t processes, int64_t place,
                       struct dimension *ret_dimension)
{
    int64_t block = size;
    if (distribution == MPILENS_DISTRIBUTE_BLOCK)
        block = argument == MPILENS_DISTRIBUTE_DFLT_DARG ? size / processes + (size % processes != 0) : argument;
    else if (distribution == MPILENS_DISTRIBUTE_CYCLIC)
        block = argument == MPILENS_DISTRIBUTE_DFLT_DARG ? 1 : argument;
    else if (distribution != MPILENS_DISTRIBUTE_NONE || processes != 1)
        return false;
    if (block < 1)
        return false;
    const int64_t blocks = size / block + (size % block != 0);
    const int64_t mine = place < blocks ? (blocks - place - 1) / processes + 1 : 0;
    const bool has_last = mine > 0 && (blocks - 1) % processes == place;
    *ret_dimension = (struct dimension){.size = size,
                                        .first = wrapping_multiply(place, block),
                                        .local = wrapping_multiply(mine, block) -
                                                 (has_last && size % block != 0 ? block - size % block : 0),
                                        .block = block,
                                        .period = wrapping_multiply(block, processes)};
    return mine == 0 || ret_dimension->local <= size;
}

/* Processes are in row-major order, whatever the order of the array. */
static bool make_distributed(const struct datatype_arguments *arguments, size_t count, size_t number,
                             struct dimension *ret_dimension)
{
    int64_t processes_left = of_dimension(arguments, 0, 0);
    int64_t rank = of_dimension(arguments, 1, 0);
    int64_t place = 0;
    if (rank < 0 || rank >= processes_left)
        return false;
    for (size_t i = 0; i <= number; i++) {
        const int64_t here = of_dimension(arguments, 3 + 3 * count, i);
        if (here < 1 || here > processes_left)
            return false;
        processes_left /= here;
        place = rank / processes_left;
        rank %= processes_left;
    }
    const int64_t size = of_dimension(arguments, 3, number);
    const int64_t processes = of_dimension(arguments, 3 + 3 * count, number);
    return size >= 1 && place < processes &&
           distribute(size, of_dimension(arguments, 3 + count, number), of_dimension(arguments, 3 + 2 * count, number),
                      processes, place, ret_dimension);
}

static bool make_grid(const struct datatype_arguments *arguments, uint64_t integers, uint32_t combiner,
                      struct grid *ret_grid)
{
    const bool is_subarray = combiner == MPILENS_COMBINER_SUBARRAY;
    const uint64_t at = is_subarray ? 0 : 2; /* the number of dimensions, and the arrays behind it */
    const uint64_t arrays = is_subarray ? 3 : 4;
    if (integers <= at)
        return false;
    const uint64_t count = (uint64_t)of_dimension(arguments, at, 0);
    if (count < 1 || count > MOST_DIMENSIONS || integers != at + 2 + arrays * count)
        return false;
    const int64_t order = of_dimension(arguments, integers - 1, 0);
    if (order != MPILENS_ORDER_C && order != MPILENS_ORDER_FORTRAN)
        return false;
    ret_grid->count = (size_t)count;
    int64_t distance = 1;
    for (size_t i = 0; i < count; i++) {
        const size_t number = order == MPILENS_ORDER_C ? (size_t)count - 1 - i : i;
        struct dimension *dimension = &ret_grid->dimensions[i];
        if (!(is_subarray ? make_subarray : make_distributed)(arguments, (size_t)count, number, dimension))
            return false;
        dimension->distance = distance;
        if (__builtin_mul_overflow(distance, dimension->size, &distance))
            return false;
    }
    return true;
}

static bool is_one_block(const struct dimension *dimension)
{
    return dimension->local <= dimension->block;
}

/* Index in the whole array of a local one. */
static int64_t index_of(const struct dimension *dimension, int64_t local)
{
    if (is_one_block(dimension))
        return dimension->first + local;
    return wrapping_add(dimension->first, wrapping_add(wrapping_multiply(local / dimension->block, dimension->period),
                                                       local % dimension->block));
}

/* The part of the fastest dimension: its full blocks, or what is left behind them. Both are one where it is one block.
 */
static void set_fastest(const struct dimension *fastest, int64_t extent, bool is_rest, struct type_item *item)
{
    const int64_t full = fastest->local / fastest->block;
    const bool all = is_one_block(fastest);
    const int64_t from = is_rest ? full * fastest->block : 0;
    item->count = all ? fastest->local : is_rest ? fastest->local % fastest->block : fastest->block;
    item->stride = extent;
    item->outer_count = all || is_rest ? 1 : full;
    item->outer_stride = wrapping_multiply(fastest->period, extent);
    item->displacement =
        wrapping_multiply(is_rest && !all ? wrapping_add(fastest->first, wrapping_multiply(full, fastest->period))
                                          : index_of(fastest, from),
                          extent);
}

int type_grid_item(const struct datatype_arguments *arguments, uint64_t integers, uint32_t combiner, int64_t extent,
                   uint64_t number, struct type_item *item)
{
    struct grid grid;
    if (!make_grid(arguments, integers, combiner, &grid))
        return MPILENS_ERROR_CORRUPT;
    for (size_t i = 0; i < grid.count; i++)
        if (grid.dimensions[i].local == 0)
            return mqs_end_of_list;
    const struct dimension *fastest = &grid.dimensions[0];
    const bool has_rest = !is_one_block(fastest) && fastest->local % fastest->block != 0;
    const bool two = grid.count > 1 && is_one_block(fastest) && is_one_block(&grid.dimensions[1]);
    set_fastest(fastest, extent, has_rest && number % 2 == 1, item);
    if (has_rest)
        number /= 2;
    if (two) {
        const struct dimension *next = &grid.dimensions[1];
        item->outer_count = next->local;
        item->outer_stride = wrapping_multiply(next->distance, extent);
        item->displacement =
            wrapping_add(item->displacement, wrapping_multiply(wrapping_multiply(next->first, next->distance), extent));
    }
    for (size_t i = two ? 2 : 1; i < grid.count; i++) {
        const struct dimension *dimension = &grid.dimensions[i];
        const int64_t local = (int64_t)(number % (uint64_t)dimension->local);
        number /= (uint64_t)dimension->local;
        item->displacement =
            wrapping_add(item->displacement,
                         wrapping_multiply(wrapping_multiply(index_of(dimension, local), dimension->distance), extent));
    }
    return number > 0 ? mqs_end_of_list : mqs_ok;
}

int type_grid_count(const struct datatype_arguments *arguments, uint64_t integers, uint32_t combiner,
                    int64_t *ret_count)
{
    struct grid grid;
    int64_t count = 1;
    if (!make_grid(arguments, integers, combiner, &grid))
        return MPILENS_ERROR_CORRUPT;
    for (size_t i = 0; i < grid.count; i++)
        if (__builtin_mul_overflow(count, grid.dimensions[i].local, &count))
            return MPILENS_ERROR_CORRUPT;
    *ret_count = count;
    return mqs_ok;
}
