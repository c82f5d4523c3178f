/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Expands type maps: goes through the tree of constructors with a stack of its own. It does not descend into types that
 * amount to one run.
 */
#include "types/types.h"

#include "mpilens/extension.h"

#include <string.h>

/* After more steps without a result, the target is treated as corrupt. */
enum { MOST_STEPS = 1 << 22 };

static bool is_nothing(const struct type_item *item)
{
    return item->count == 0 || item->outer_count == 0 || item->datatype->size == 0;
}

/* Repeats a run `count` times. False: the result is not one run. */
static bool repeat_run(struct type_run *run, int64_t count, int64_t stride)
{
    if (count == 1)
        return true;
    if (run->repeat == 1 && run->count == 1) {
        run->count = count;
        run->stride = stride;
        return true;
    }
    if (run->repeat == 1 && stride == wrapping_multiply(run->count, run->stride))
        return !__builtin_mul_overflow(run->count, count, &run->count);
    if (run->repeat == 1) {
        run->repeat = count;
        run->repeat_stride = stride;
        return true;
    }
    return stride == wrapping_multiply(run->repeat, run->repeat_stride) &&
           !__builtin_mul_overflow(run->repeat, count, &run->repeat);
}

/* The whole datatype as one run. False: it is several, or not known. */
static bool as_run(struct type_source *source, const struct mpilens_datatype *datatype, struct type_run *ret_run)
{
    struct type_item items[TYPE_MAP_DEPTH];
    size_t depth = 0;
    for (; !type_is_basic(datatype); depth++) {
        struct type_item second;
        if (depth == TYPE_MAP_DEPTH || type_item_get(source, datatype, 0, &items[depth]) != mqs_ok ||
            is_nothing(&items[depth]) || type_item_get(source, datatype, 1, &second) != mqs_end_of_list)
            return false;
        datatype = items[depth].datatype;
    }
    struct type_run run = {.basic = datatype, .count = 1, .stride = datatype->extent, .repeat = 1, .repeat_stride = 0};
    if (datatype->size < 0)
        return false;
    while (depth-- > 0) {
        run.displacement = wrapping_add(run.displacement, items[depth].displacement);
        if (!repeat_run(&run, items[depth].count, items[depth].stride) ||
            !repeat_run(&run, items[depth].outer_count, items[depth].outer_stride))
            return false;
    }
    *ret_run = run;
    return true;
}

static int push(struct type_map *map, const struct type_item *item, const struct type_run *run)
{
    struct type_map_frame frame = {.item = *item, .is_run = run != NULL};
    if (map->depth == TYPE_MAP_DEPTH)
        return mqs_no_information;
    if (__builtin_mul_overflow(item->count, item->outer_count, &frame.copies))
        return MPILENS_ERROR_CORRUPT;
    if (run != NULL)
        frame.run = *run;
    map->frames[map->depth++] = frame;
    return mqs_ok;
}

/* Delivers an item as a run, or puts it on the stack. */
static int take_item(struct type_map *map, struct type_item item, struct type_run *ret_run, bool *ret_is_run)
{
    struct type_run run;
    if (is_nothing(&item))
        return mqs_ok;
    if (type_is_basic(item.datatype) && item.datatype->size < 0)
        return mqs_no_information;
    if (!as_run(&map->source, item.datatype, &run))
        return push(map, &item, NULL);
    struct type_run inner = run;
    if (!repeat_run(&inner, item.count, item.stride))
        return push(map, &item, &run);
    struct type_run all = inner;
    if (!repeat_run(&all, item.outer_count, item.outer_stride)) {
        item.count = 1;
        return push(map, &item, &inner);
    }
    all.displacement = wrapping_add(all.displacement, item.displacement);
    *ret_run = all;
    *ret_is_run = true;
    return mqs_ok;
}

/* The displacement at which the current copy of a frame begins. */
static int64_t displacement_of(const struct type_map_frame *frame)
{
    const struct type_item *item = &frame->item;
    return wrapping_add(item->displacement,
                        wrapping_add(wrapping_multiply(frame->copy % item->count, item->stride),
                                     wrapping_multiply(frame->copy / item->count, item->outer_stride)));
}

/* One step at the top of the stack. */
static int step(struct type_map *map, struct type_run *ret_run, bool *ret_is_run)
{
    struct type_map_frame *frame = &map->frames[map->depth - 1];
    if (frame->copy >= frame->copies) {
        map->depth--;
        return mqs_ok;
    }
    const int64_t displacement = displacement_of(frame);
    if (frame->is_run) {
        *ret_run = frame->run;
        ret_run->displacement = wrapping_add(ret_run->displacement, displacement);
        *ret_is_run = true;
        frame->copy++;
        return mqs_ok;
    }
    struct type_item item;
    int code = type_item_get(&map->source, frame->item.datatype, frame->number, &item);
    if (code == mqs_end_of_list) {
        frame->copy++;
        frame->number = 0;
        return mqs_ok;
    }
    if (code != mqs_ok)
        return code;
    frame->number++;
    item.displacement = wrapping_add(item.displacement, displacement);
    return take_item(map, item, ret_run, ret_is_run);
}

void type_map_begin(struct type_map *map, const struct type_source *source, const struct mpilens_datatype *datatype)
{
    memset(map, 0, sizeof *map);
    map->source = *source;
    map->frames[0] = (struct type_map_frame){.item = {.datatype = datatype, .count = 1, .outer_count = 1}};
    map->is_at_end = false;
}

int type_map_next(struct type_map *map, struct type_run *ret_run)
{
    bool is_run = false;
    int code = map->is_at_end ? mqs_end_of_list : mqs_ok;
    if (code == mqs_ok && map->depth == 0 && map->frames[0].item.datatype != NULL) {
        const struct type_item whole = map->frames[0].item;
        map->frames[0].item.datatype = NULL;
        code = take_item(map, whole, ret_run, &is_run);
    }
    for (int steps = 0; code == mqs_ok && !is_run; steps++)
        code = map->depth == 0      ? mqs_end_of_list
               : steps < MOST_STEPS ? step(map, ret_run, &is_run)
                                    : MPILENS_ERROR_CORRUPT;
    if (code != mqs_ok)
        map->is_at_end = true;
    return code;
}

void type_map_free(struct type_map *map)
{
    type_source_free(&map->source);
}
