/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Turns every combiner into a list of items.
 */
#include "types/types.h"

#include "layout/layout.h"

/* Arguments of one datatype, and the item that is made of them. */
struct construction {
    struct type_source *source;
    const struct mpilens_datatype *datatype;
    struct datatype_arguments arguments;
    uint64_t number;
    bool is_placed; /* it matters where things are */
};

struct type_source type_source_of(const struct reading *reading)
{
    return (struct type_source){
        .target = &reading->target, .copy = &reading->snapshot, .big_endian = reading->root.offsets.header.big_endian};
}

bool type_is_basic(const struct mpilens_datatype *datatype)
{
    switch (datatype_combiner(datatype)) {
    case MPILENS_COMBINER_NAMED:
    case MPILENS_COMBINER_F90_REAL:
    case MPILENS_COMBINER_F90_COMPLEX:
    case MPILENS_COMBINER_F90_INTEGER:
        return true;
    case MPILENS_COMBINER_UNKNOWN:
        return (datatype->flags & MPILENS_OBJECT_PREDEFINED) != 0;
    default:
        return false;
    }
}

const char *type_basic_name(const struct mpilens_datatype *basic)
{
    if (basic->name[0] != '\0')
        return basic->name;
    switch (datatype_combiner(basic)) {
    case MPILENS_COMBINER_F90_REAL:
        return "MPI_Type_create_f90_real";
    case MPILENS_COMBINER_F90_COMPLEX:
        return "MPI_Type_create_f90_complex";
    case MPILENS_COMBINER_F90_INTEGER:
        return "MPI_Type_create_f90_integer";
    default:
        return "";
    }
}

static int64_t number_at(const struct construction *construction, uint64_t index)
{
    return datatype_arguments_number(&construction->arguments, (size_t)index);
}

static int64_t address_at(const struct construction *construction, uint64_t index)
{
    return number_at(construction, construction->datatype->integer_count + index);
}

/* The record of a datatype among the arguments, with what is to be known of it. */
static int datatype_at(const struct construction *construction, uint64_t index,
                       const struct mpilens_datatype **ret_datatype)
{
    const struct mpilens_datatype *datatype = snapshot_datatype(
        construction->source->copy, datatype_arguments_address(&construction->arguments, (size_t)index));
    if (datatype == NULL || datatype->size < 0)
        return mqs_no_information;
    *ret_datatype = datatype;
    return mqs_ok;
}

static bool has(const struct construction *construction, uint64_t integers, uint64_t addresses, uint64_t datatypes)
{
    return construction->datatype->integer_count == integers && construction->datatype->address_count == addresses &&
           construction->datatype->datatype_count == datatypes;
}

static struct type_item whole(const struct mpilens_datatype *datatype)
{
    return (struct type_item){.datatype = datatype, .count = 1, .stride = datatype->extent, .outer_count = 1};
}

/* contiguous, vector, hvector, dup, resized: one item */
static int regular_item(const struct construction *construction, uint32_t combiner,
                        const struct mpilens_datatype *element, struct type_item *ret_item)
{
    struct type_item item = whole(element);
    if (construction->number > 0)
        return mqs_end_of_list;
    switch (combiner) {
    case MPILENS_COMBINER_CONTIGUOUS:
        if (!has(construction, 1, 0, 1))
            return MPILENS_ERROR_CORRUPT;
        item.count = number_at(construction, 0);
        break;
    case MPILENS_COMBINER_VECTOR:
    case MPILENS_COMBINER_HVECTOR:
        if (combiner == MPILENS_COMBINER_VECTOR ? !has(construction, 3, 0, 1) : !has(construction, 2, 1, 1))
            return MPILENS_ERROR_CORRUPT;
        item.outer_count = number_at(construction, 0);
        item.count = number_at(construction, 1);
        item.outer_stride = combiner == MPILENS_COMBINER_VECTOR
                                ? wrapping_multiply(number_at(construction, 2), element->extent)
                                : address_at(construction, 0);
        break;
    default:
        if (combiner == MPILENS_COMBINER_RESIZED ? !has(construction, 0, 2, 1) : !has(construction, 0, 0, 1))
            return MPILENS_ERROR_CORRUPT;
        break;
    }
    *ret_item = item;
    return mqs_ok;
}

/* indexed, hindexed, indexed_block, hindexed_block: one item per block */
static int indexed_item(const struct construction *construction, uint32_t combiner,
                        const struct mpilens_datatype *element, struct type_item *ret_item)
{
    const bool is_block = combiner == MPILENS_COMBINER_INDEXED_BLOCK || combiner == MPILENS_COMBINER_HINDEXED_BLOCK;
    const bool in_bytes = combiner == MPILENS_COMBINER_HINDEXED || combiner == MPILENS_COMBINER_HINDEXED_BLOCK;
    const uint64_t lengths = construction->datatype->integer_count > 0 ? (uint64_t)number_at(construction, 0) : 0;
    if (construction->datatype->integer_count == 0 || lengths > UINT32_MAX)
        return MPILENS_ERROR_CORRUPT;
    const uint64_t before = is_block ? 2 : 1 + lengths; /* integers before the displacements */
    if (!has(construction, in_bytes ? before : before + lengths, in_bytes ? lengths : 0, 1))
        return MPILENS_ERROR_CORRUPT;
    if (construction->number >= lengths)
        return mqs_end_of_list;
    struct type_item item = whole(element);
    item.count = number_at(construction, is_block ? 1 : 1 + construction->number);
    item.displacement =
        in_bytes ? address_at(construction, construction->number)
                 : wrapping_multiply(number_at(construction, before + construction->number), element->extent);
    *ret_item = item;
    return mqs_ok;
}

static int struct_item(const struct construction *construction, struct type_item *ret_item)
{
    const uint64_t count = construction->datatype->datatype_count;
    const struct mpilens_datatype *element = NULL;
    if (!has(construction, 1 + count, count, count) || (uint64_t)number_at(construction, 0) != count)
        return MPILENS_ERROR_CORRUPT;
    if (construction->number >= count)
        return mqs_end_of_list;
    int code = datatype_at(construction, construction->number, &element);
    if (code != mqs_ok)
        return code;
    *ret_item = whole(element);
    ret_item->count = number_at(construction, 1 + construction->number);
    ret_item->displacement = address_at(construction, construction->number);
    return mqs_ok;
}

/* A value, and behind it an index where the true extent ends. */
static int pair_item(const struct construction *construction, struct type_item *ret_item)
{
    const struct mpilens_datatype *element = NULL;
    if (!has(construction, 0, 0, 2))
        return MPILENS_ERROR_CORRUPT;
    if (construction->number >= 2)
        return mqs_end_of_list;
    if (construction->datatype->size < 0)
        return mqs_no_information;
    int code = datatype_at(construction, construction->number, &element);
    if (code != mqs_ok)
        return code;
    *ret_item = whole(element);
    if (construction->number == 1)
        ret_item->displacement = wrapping_add(construction->datatype->true_lower_bound,
                                              wrapping_add(construction->datatype->true_extent, -element->size));
    return mqs_ok;
}

static int make_item(const struct construction *construction, struct type_item *ret_item)
{
    const uint32_t combiner = datatype_combiner(construction->datatype);
    const struct mpilens_datatype *element = NULL;
    if (combiner == MPILENS_COMBINER_STRUCT)
        return struct_item(construction, ret_item);
    if (combiner == MPILENS_COMBINER_VALUE_INDEX)
        return pair_item(construction, ret_item);
    if (construction->datatype->datatype_count != 1)
        return MPILENS_ERROR_CORRUPT;
    int code = datatype_at(construction, 0, &element);
    if (code != mqs_ok)
        return code;
    switch (combiner) {
    case MPILENS_COMBINER_INDEXED:
    case MPILENS_COMBINER_HINDEXED:
    case MPILENS_COMBINER_INDEXED_BLOCK:
    case MPILENS_COMBINER_HINDEXED_BLOCK:
        return indexed_item(construction, combiner, element, ret_item);
    case MPILENS_COMBINER_SUBARRAY:
    case MPILENS_COMBINER_DARRAY:
        *ret_item = whole(element);
        if (!construction->is_placed)
            return construction->number > 0
                       ? mqs_end_of_list
                       : type_grid_count(&construction->arguments, construction->datatype->integer_count, combiner,
                                         &ret_item->count);
        return type_grid_item(&construction->arguments, construction->datatype->integer_count, combiner,
                              element->extent, construction->number, ret_item);
    default:
        return regular_item(construction, combiner, element, ret_item);
    }
}

/* Frees all arguments where these and those together would be very much. */
static void make_room(struct type_source *source, uint64_t bytes)
{
    for (size_t i = 0; i < TYPE_BLOCK_COUNT; i++)
        bytes += source->blocks[i].bytes != NULL ? source->blocks[i].count : 0;
    if (bytes > MOST_OBJECT_BLOCK_BYTES)
        type_source_free(source);
}

static int read_arguments(struct type_source *source, const struct mpilens_datatype *datatype,
                          struct datatype_arguments *ret_arguments)
{
    const uint64_t bytes = datatype_argument_count(datatype) * sizeof(uint64_t);
    if (datatype->arguments == 0)
        return mqs_no_information;
    for (size_t i = 0; i < TYPE_BLOCK_COUNT; i++) {
        const struct object_block *block = &source->blocks[i];
        if (block->bytes != NULL && block->address == datatype->arguments && block->count == bytes)
            return datatype_arguments_set(datatype, block->bytes, source->big_endian, ret_arguments);
    }
    make_room(source, bytes);
    const uint8_t *read = NULL;
    struct object_block *block = &source->blocks[source->next_block];
    source->next_block = (source->next_block + 1) % TYPE_BLOCK_COUNT;
    int code = object_block_read(block, source->target, datatype->arguments, bytes, &read);
    return code == mqs_ok ? datatype_arguments_set(datatype, read, source->big_endian, ret_arguments) : code;
}

static int get_item(struct construction construction, struct type_item *ret_item)
{
    if (datatype_combiner(construction.datatype) == MPILENS_COMBINER_UNKNOWN)
        return mqs_no_information;
    int code = read_arguments(construction.source, construction.datatype, &construction.arguments);
    if (code == mqs_ok)
        code = make_item(&construction, ret_item);
    if (code == mqs_ok && (ret_item->count < 0 || ret_item->outer_count < 0))
        return MPILENS_ERROR_CORRUPT;
    return code;
}

int type_item_get(struct type_source *source, const struct mpilens_datatype *datatype, uint64_t number,
                  struct type_item *ret_item)
{
    return get_item((struct construction){.source = source, .datatype = datatype, .number = number, .is_placed = true},
                    ret_item);
}

int type_content_get(struct type_source *source, const struct mpilens_datatype *datatype, uint64_t number,
                     struct type_item *ret_item)
{
    return get_item((struct construction){.source = source, .datatype = datatype, .number = number}, ret_item);
}

void type_source_free(struct type_source *source)
{
    for (size_t i = 0; i < TYPE_BLOCK_COUNT; i++)
        object_block_free(&source->blocks[i]);
}
