/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the page of a datatype.
 */
#include "replies/replies.h"

#include "facts/facts.h"
#include "target/target.h"
#include "types/types.h"

#include "mpilens/words.h"

#include <inttypes.h>

/* Lines below "constructor" and "type map", and how deep datatypes are in each other there. */
enum { MOST_PARTS = 256, MOST_ENTRIES = 1024, MOST_DEPTH = 16 };

/* The constructor of one datatype. */
struct constructor {
    const struct reading *reading;
    const struct mpilens_datatype *datatype;
    struct datatype_arguments arguments; /* none where they are not known */
};

static int64_t argument(const struct constructor *constructor, uint64_t number)
{
    return number < constructor->arguments.number_count ? datatype_arguments_number(&constructor->arguments, number)
                                                        : -1;
}

/* "MPI_INT", "column (0x8c000001)". */
static struct page_name name_of(const struct mpilens_datatype *datatype)
{
    const bool is_predefined = (datatype->flags & MPILENS_OBJECT_PREDEFINED) != 0;
    return page_name(is_predefined && datatype->name[0] != '\0' ? 0 : datatype->handle, datatype->name);
}

/* The type of its blocks. */
static void add_part(struct text *text, const struct constructor *constructor)
{
    const struct mpilens_datatype *part =
        constructor->arguments.datatype_count > 0
            ? snapshot_datatype(&constructor->reading->snapshot, datatype_arguments_address(&constructor->arguments, 0))
            : NULL;
    text_add(text, part != NULL ? name_of(part).text : "?");
}

static void add_number(struct text *text, const char *before, int64_t number, const char *after)
{
    text_add(text, before);
    text_add_signed(text, number);
    text_add(text, after);
}

/* Some of the numbers among the arguments: "[2,3]". */
static void add_list(struct text *text, const struct constructor *constructor, uint64_t first, int64_t count)
{
    enum { MOST_SHOWN = 8 };
    text_add(text, "[");
    for (int64_t i = 0; i < count && i < MOST_SHOWN; i++)
        add_number(text, i > 0 ? "," : "", argument(constructor, first + (uint64_t)i), "");
    text_add(text, count > MOST_SHOWN ? ",...]" : "]");
}

/* "indexed of 2 blocks of [1,3] x MPI_INT at [0,4]": count, lengths[count] or one length, displacements[count]. */
static void add_blocks(struct text *text, const struct constructor *constructor, bool are_equal, bool in_bytes)
{
    const int64_t count = argument(constructor, 0);
    const uint64_t lengths = are_equal || count < 0 ? 1 : (uint64_t)count;
    add_number(text, " of ", count, " blocks of ");
    if (are_equal)
        text_add_signed(text, argument(constructor, 1));
    else
        add_list(text, constructor, 1, count);
    text_add(text, " x ");
    add_part(text, constructor);
    text_add(text, " at ");
    add_list(text, constructor, 1 + lengths, count);
    text_add(text, in_bytes ? " bytes" : "");
}

/* Blocks of one length: count, length, stride. */
static void add_vector(struct text *text, const struct constructor *constructor, bool in_bytes)
{
    add_number(text, " of ", argument(constructor, 0), "");
    add_number(text, " blocks of ", argument(constructor, 1), " x ");
    add_part(text, constructor);
    add_number(text, ", stride ", argument(constructor, 2), in_bytes ? " bytes" : "");
}

static void add_subarray(struct text *text, const struct constructor *constructor)
{
    const int64_t count = argument(constructor, 0);
    const uint64_t step = count > 0 ? (uint64_t)count : 0;
    text_add(text, " ");
    add_list(text, constructor, 1 + step, count);
    text_add(text, " of ");
    add_list(text, constructor, 1, count);
    text_add(text, " from ");
    add_list(text, constructor, 1 + 2 * step, count);
    text_add(text, " of ");
    add_part(text, constructor);
}

static void add_constructor(struct text *text, const struct constructor *constructor)
{
    const uint32_t combiner = datatype_combiner(constructor->datatype);
    const char *word = mpilens_combiner_phrase(combiner);
    if (combiner == MPILENS_COMBINER_UNKNOWN || word == NULL) {
        text_add(text, "not known");
        return;
    }
    if (combiner == MPILENS_COMBINER_NAMED) {
        text_add(text, "predefined");
        return;
    }
    text_add(text, combiner == MPILENS_COMBINER_DUP ? "duplicate" : word);
    switch (combiner) {
    case MPILENS_COMBINER_DUP:
        text_add(text, " of ");
        add_part(text, constructor);
        break;
    case MPILENS_COMBINER_CONTIGUOUS:
        add_number(text, ", ", argument(constructor, 0), " x ");
        add_part(text, constructor);
        break;
    case MPILENS_COMBINER_VECTOR:
    case MPILENS_COMBINER_HVECTOR:
        add_vector(text, constructor, combiner == MPILENS_COMBINER_HVECTOR);
        break;
    case MPILENS_COMBINER_INDEXED:
    case MPILENS_COMBINER_HINDEXED:
        add_blocks(text, constructor, false, combiner == MPILENS_COMBINER_HINDEXED);
        break;
    case MPILENS_COMBINER_INDEXED_BLOCK:
    case MPILENS_COMBINER_HINDEXED_BLOCK:
        add_blocks(text, constructor, true, combiner == MPILENS_COMBINER_HINDEXED_BLOCK);
        break;
    case MPILENS_COMBINER_STRUCT:
        add_number(text, " of ", argument(constructor, 0), " blocks");
        break;
    case MPILENS_COMBINER_SUBARRAY:
        add_subarray(text, constructor);
        break;
    case MPILENS_COMBINER_DARRAY:
        text_add(text, " of ");
        add_part(text, constructor);
        add_number(text, ", part ", argument(constructor, 1), " of ");
        text_add_signed(text, argument(constructor, 0));
        break;
    case MPILENS_COMBINER_F90_REAL:
    case MPILENS_COMBINER_F90_COMPLEX:
        add_number(text, " of precision ", argument(constructor, 0), ", range ");
        text_add_signed(text, argument(constructor, 1));
        break;
    case MPILENS_COMBINER_F90_INTEGER:
        add_number(text, " of range ", argument(constructor, 0), "");
        break;
    case MPILENS_COMBINER_RESIZED:
        text_add(text, " ");
        add_part(text, constructor);
        add_number(text, ", lower bound ", argument(constructor, 0), ", extent ");
        text_add_signed(text, argument(constructor, 1));
        break;
    default:
        break;
    }
}

/* "32 bytes, extent 56, lower bound -8": the bounds if the datatype has holes. */
static void add_size(struct text *text, const struct mpilens_datatype *datatype)
{
    if (datatype->size < 0) {
        text_add(text, "size not known");
        return;
    }
    add_number(text, "", datatype->size, datatype->size == 1 ? " byte" : " bytes");
    if (datatype->extent != datatype->size)
        add_number(text, ", extent ", datatype->extent, "");
    if (datatype->lower_bound != 0)
        add_number(text, ", lower bound ", datatype->lower_bound, "");
}

/* The datatypes that a constructor takes: equal ones that stand side by side are one. */
struct parts {
    struct {
        uint64_t address, times;
    } items[MOST_PARTS];
    size_t count;
    bool is_cut;
};

static void find_parts(const struct datatype_arguments *arguments, struct parts *parts)
{
    for (size_t i = 0; i < arguments->datatype_count; i++) {
        const uint64_t address = datatype_arguments_address(arguments, i);
        if (parts->count > 0 && parts->items[parts->count - 1].address == address) {
            parts->items[parts->count - 1].times++;
            continue;
        }
        parts->is_cut = parts->count == MOST_PARTS;
        if (parts->is_cut)
            return;
        parts->items[parts->count].address = address;
        parts->items[parts->count++].times = 1;
    }
}

/* Writes the constructor and finds what it takes. */
static void read_constructor(const struct reading *reading, const struct mpilens_datatype *datatype, struct text *text,
                             struct parts *ret_parts)
{
    struct constructor constructor = {.reading = reading, .datatype = datatype};
    struct object_block block = {.address = 0};
    if (datatype_arguments_read(reading, &block, datatype, &constructor.arguments) != mqs_ok)
        constructor.arguments = (struct datatype_arguments){.bytes = NULL};
    add_constructor(text, &constructor);
    ret_parts->count = 0;
    ret_parts->is_cut = false;
    find_parts(&constructor.arguments, ret_parts);
    object_block_free(&block);
}

/* The lines that may still be added. */
struct tree {
    struct page_lines *page;
    const struct reading *reading;
    size_t left;
};

static void add_parts(struct tree *tree, const struct parts *parts, uint32_t depth);

/* A datatype among the arguments of another one, and what it is made of. */
static void add_part_line(struct tree *tree, const struct mpilens_datatype *datatype, const char *label, uint32_t depth)
{
    char words[1024];
    struct text text = text_begin(words, sizeof words);
    struct parts parts;
    if (type_is_basic(datatype)) {
        add_size(&text, datatype);
        page_add(tree->page, depth, label, words);
        return;
    }
    const char *function = function_table_get(&tree->reading->functions, datatype->function)->name;
    read_constructor(tree->reading, datatype, &text, &parts);
    text_add(&text, "; ");
    add_size(&text, datatype);
    text_add(&text, function[0] != '\0' ? ", made by " : "");
    text_add(&text, function);
    page_add_call(tree->page, depth, label, words, function[0] != '\0' ? datatype->site : 0, 0);
    add_parts(tree, &parts, depth + 1);
}

static void add_parts(struct tree *tree, const struct parts *parts, uint32_t depth)
{
    for (size_t i = 0; i < parts->count && tree->left > 0; i++) {
        const struct mpilens_datatype *part = snapshot_datatype(&tree->reading->snapshot, parts->items[i].address);
        char label[sizeof(struct page_name) + 32];
        struct text text = text_begin(label, sizeof label);
        if (parts->items[i].times > 1) {
            text_add_decimal(&text, parts->items[i].times);
            text_add(&text, " x ");
        }
        tree->left = depth <= MOST_DEPTH ? tree->left - 1 : 0;
        text_add(&text, part != NULL ? name_of(part).text : "?");
        if (part != NULL && depth <= MOST_DEPTH)
            add_part_line(tree, part, label, depth);
        else
            page_add(tree->page, depth, label, part != NULL ? "..." : "not known");
    }
    if (parts->is_cut)
        tree->left = 0;
}

static void add_made_of(struct page_lines *page, const struct reading *reading, const struct mpilens_datatype *datatype)
{
    char words[1024];
    struct text text = text_begin(words, sizeof words);
    struct tree tree = {.page = page, .reading = reading, .left = MOST_PARTS};
    struct parts parts;
    read_constructor(reading, datatype, &text, &parts);
    page_add(page, 0, "constructor", words);
    add_parts(&tree, &parts, 1);
    if (tree.left == 0)
        page_add_more(page, 1);
}

/* "2 x MPI_DOUBLE, every 32 bytes; 5 times, every 128 bytes" */
static void add_run(struct page_lines *page, const struct type_run *run)
{
    char label[32], words[512];
    struct text displacement = text_begin(label, sizeof label);
    struct text text = text_begin(words, sizeof words);
    text_add_signed(&displacement, run->displacement);
    if (run->count > 1)
        add_number(&text, "", run->count, " x ");
    text_add(&text, type_basic_name(run->basic));
    if (run->count > 1 && run->stride != run->basic->size)
        add_number(&text, ", every ", run->stride, " bytes");
    if (run->repeat > 1) {
        add_number(&text, "; ", run->repeat, " times");
        add_number(&text, ", every ", run->repeat_stride, " bytes");
    }
    page_add(page, 1, label, words);
}

static void add_type_map(struct page_lines *page, const struct reading *reading,
                         const struct mpilens_datatype *datatype)
{
    const struct type_source source = type_source_of(reading);
    struct type_map *map = allocate_array(1, sizeof *map);
    struct type_run run;
    size_t count = 0;
    if (map == NULL) {
        page->code = MPILENS_ERROR_NO_MEMORY;
        return;
    }
    type_map_begin(map, &source, datatype);
    int code = type_map_next(map, &run);
    page_add(page, 0, "type map", code == mqs_ok || code == mqs_end_of_list ? "by displacement in bytes" : "not known");
    for (; code == mqs_ok && count < MOST_ENTRIES; count++) {
        add_run(page, &run);
        code = type_map_next(map, &run);
    }
    if (code == mqs_ok)
        page_add_more(page, 1);
    else if (code != mqs_end_of_list && count > 0)
        page_add(page, 1, "...", "not known");
    type_map_free(map);
    release(map);
}

/* "7 bytes at 1, 4 bytes at 36" */
static void add_holes(struct page_lines *page, const struct reading *reading, const struct mpilens_datatype *datatype)
{
    enum { MOST_SHOWN = 8 };
    const struct type_source source = type_source_of(reading);
    struct mpilens_type_hole holes[MOST_SHOWN];
    char list[512];
    struct text text = text_begin(list, sizeof list);
    size_t count = 0;
    bool is_cut = false;
    const int code = type_holes_get(&source, datatype, holes, MOST_SHOWN, &count, &is_cut);
    if (code == MPILENS_ERROR_NO_MEMORY)
        page->code = code;
    if (code != mqs_ok || (count == 0 && is_cut))
        return;
    for (size_t i = 0; i < count; i++) {
        add_number(&text, i > 0 ? ", " : "", holes[i].bytes, holes[i].bytes == 1 ? " byte at " : " bytes at ");
        text_add_signed(&text, holes[i].displacement);
    }
    text_add(&text, count == 0 ? "none" : is_cut ? ", and more" : "");
    page_add(page, 0, "holes", list);
}

void page_datatype(struct page_lines *page, const struct reading *reading, const struct mpilens_datatype *datatype)
{
    if (datatype->size >= 0)
        page_write(page, 0, "bounds",
                   "lower bound %" PRId64 ", extent %" PRId64 ", true lower bound %" PRId64 ", true extent %" PRId64,
                   datatype->lower_bound, datatype->extent, datatype->true_lower_bound, datatype->true_extent);
    if (datatype->flags & MPILENS_OBJECT_PREDEFINED)
        return;
    add_made_of(page, reading, datatype);
    add_type_map(page, reading, datatype);
    add_holes(page, reading, datatype);
}
