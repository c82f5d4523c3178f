/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the page of a datatype: its constructors as a tree, and the type map with its holes.
 */
#include "render/text/handle_page_datatype.h"

#include "base/allocation.h"
#include "handle/handle_datatype.h"
#include "handle/handle_describe.h"
#include "render/text/handle_page_lines.h"
#include "text/printed_line.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Lines of the tree and of the type map. */
enum { MOST_PARTS = 64, MOST_ENTRIES = 48, MOST_RUNS = 4096 };

static char *describe_number(bool is_known, int64_t number)
{
    return is_known ? format_text("%" PRId64, number) : copy_text("?");
}

static void add_tree(struct text_table *table, struct text_line *parent, const struct handle_datatype *datatype,
                     size_t times, size_t *left);

static bool are_equal(const struct handle_datatype *left, const struct handle_datatype *right)
{
    return left->object.serial != 0 && left->object.serial == right->object.serial;
}

static void add_parts(struct text_table *table, struct text_line *line, const struct handle_datatype *datatype,
                      size_t *left)
{
    for (size_t i = 0, end; i < datatype->part_count; i = end) {
        for (end = i + 1; end < datatype->part_count && are_equal(&datatype->parts[i], &datatype->parts[end]);)
            end++;
        add_tree(table, line, &datatype->parts[i], end - i, left);
    }
}

/* `times`: so many equal ones stand side by side. */
static void add_tree(struct text_table *table, struct text_line *parent, const struct handle_datatype *datatype,
                     size_t times, size_t *left)
{
    if (*left == 0)
        return;
    --*left;
    const struct mpilens_object_information *object = &datatype->object;
    const bool is_known = datatype->has_contents && datatype->information.size >= 0;
    char *name = object->predefined ? copy_text(object->name) : handle_describe_name(object->handle, object->name);
    char *label = times > 1 ? format_text("%zu x %s", times, name) : copy_text(name);
    char *constructor = handle_describe_constructor(datatype);
    char *bytes = describe_number(datatype->information.size >= 0, datatype->information.size);
    char *lower = describe_number(is_known, datatype->contents.lower_bound);
    char *extent = describe_number(is_known, datatype->contents.extent);
    char *true_lower = describe_number(is_known, datatype->contents.true_lower_bound);
    char *true_extent = describe_number(is_known, datatype->contents.true_extent);
    char *place = handle_describe_place(datatype->site, object->site);
    char *const cells[] = {label, constructor, bytes, lower, extent, true_lower, true_extent, place};
    struct text_line *line = text_table_add_below(table, parent, cells);
    add_parts(table, line, datatype, left);
    free(name);
    free(label);
    free(constructor);
    free(bytes);
    free(lower);
    free(extent);
    free(true_lower);
    free(true_extent);
    free(place);
}

static int write_tree(FILE *stream, const struct handle_datatype *datatype, bool color)
{
    static const struct text_column columns[] = {{"DATATYPE", false, false},   {"MADE AS", false, false},
                                                 {"BYTES", true, false},       {"LOWER BOUND", true, false},
                                                 {"EXTENT", true, false},      {"TRUE LOWER BOUND", true, false},
                                                 {"TRUE EXTENT", true, false}, {"SITE", false, true}};
    struct text_table *table = text_table_create_tree(columns, sizeof columns / sizeof *columns, true, color);
    size_t left = MOST_PARTS;
    fputc('\n', stream);
    add_tree(table, NULL, datatype, 1, &left);
    const int result = text_table_finish(table, stream);
    if (left == 0)
        fputs("(and more)\n", stream);
    return result;
}

/* "2 x MPI_DOUBLE, 5 times, every 32 bytes". */
static char *describe_entry(const struct mpilens_type_map_entry *entry)
{
    char *row =
        entry->count > 1 && entry->stride != entry->basic_size
            ? format_text("%" PRId64 " x %s, every %" PRId64 " bytes", entry->count, entry->basic, entry->stride)
        : entry->count > 1 ? format_text("%" PRId64 " x %s", entry->count, entry->basic)
                           : copy_text(entry->basic);
    char *text = entry->repeat > 1 ? format_text("%s; %" PRId64 " times, every %" PRId64 " bytes", row, entry->repeat,
                                                 entry->repeat_stride)
                                   : copy_text(row);
    free(row);
    return text;
}

static int write_type_map(FILE *stream, const struct handle_type_map *map, bool color)
{
    static const struct text_column columns[] = {{"DISPLACEMENT", true, false}, {"TYPE MAP", false, false}};
    if (!map->is_known) {
        fputs("\nThe type map is not known.\n", stream);
        return 0;
    }
    struct text_table *table = text_table_create(columns, 2, true, color);
    fputc('\n', stream);
    for (size_t i = 0; i < map->count && i < MOST_ENTRIES; i++) {
        char *displacement = format_text("%" PRId64, map->entries[i].displacement);
        char *entry = describe_entry(&map->entries[i]);
        char *const cells[] = {displacement, entry};
        text_table_add(table, cells, NULL);
        free(displacement);
        free(entry);
    }
    const int result = text_table_finish(table, stream);
    if (map->is_cut || map->count > MOST_ENTRIES)
        fputs("(and more)\n", stream);
    return result;
}

/* "Holes: 7 bytes at 1, 4 bytes at 36"; `is_cut`: there may be more. */
static void write_list(FILE *stream, const struct handle_hole *holes, size_t count, bool is_cut)
{
    enum { MOST_SHOWN = 8 };
    char *list = copy_text("");
    for (size_t i = 0; i < count && i < MOST_SHOWN; i++) {
        char *longer = format_text("%s%s%" PRId64 " bytes at %" PRId64, list, i == 0 ? "" : ", ", holes[i].bytes,
                                   holes[i].displacement);
        free(list);
        list = longer;
    }
    fputc('\n', stream);
    print_line(stream, "Holes: %s%s", list, count > MOST_SHOWN || is_cut ? ", and more" : "");
    free(list);
}

static void write_holes(FILE *stream, const struct handle *handle)
{
    struct handle_type_run *runs = allocate(MOST_RUNS * sizeof *runs);
    bool is_cut;
    size_t hole_count;
    const size_t run_count = handle_expand_type_map(&handle->type_map, runs, MOST_RUNS, &is_cut);
    struct handle_hole *holes = handle_find_holes(&handle->datatype, runs, run_count, &hole_count);
    if (is_cut && hole_count > 0)
        hole_count--; /* what stands behind the last run is not known */
    if (handle->type_map.is_known && holes != NULL && hole_count == 0 && !is_cut)
        fputs("\nNo holes.\n", stream);
    if (handle->type_map.is_known && holes != NULL && hole_count > 0)
        write_list(stream, holes, hole_count, is_cut);
    free(holes);
    free(runs);
}

int page_datatype(FILE *stream, const struct handle *handle, bool color)
{
    int result = handle->object.predefined ? 0 : write_tree(stream, &handle->datatype, color);
    if (result == 0 && !handle->object.predefined) {
        result = write_type_map(stream, &handle->type_map, color);
        write_holes(stream, handle);
    }
    return result;
}
