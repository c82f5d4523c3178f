/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The walk through one object.
 */
#include "walk_handles.h"

#include "mpilens/layout.h"

#include <string.h>

enum { CAPACITY = 64, TEXT_LIMIT = 100, ENTRY_LIMIT = 200, USER_LIMIT = 1000, LINE_LIMIT = 4000 };

struct handle_walker {
    mqs_process *process;
    uint64_t wrong;
};

static void expect(struct handle_walker *walker, int condition)
{
    if (!condition)
        walker->wrong++;
}

/* Whatever the target holds, one of these. */
static int expect_code(struct handle_walker *walker, int code)
{
    expect(walker, code == mqs_ok || code == mqs_no_information || code == mqs_end_of_list ||
                       code == MPILENS_ERROR_NO_MEMORY || code == MPILENS_ERROR_UNREADABLE ||
                       code == MPILENS_ERROR_CORRUPT);
    return code;
}

static void expect_text(struct handle_walker *walker, const char *text, size_t bytes)
{
    expect(walker, memchr(text, '\0', bytes) != NULL);
}

#define EXPECT_TEXT(walker, array) expect_text(walker, array, sizeof(array))

static void walk_members(struct handle_walker *walker)
{
    struct mpilens_rank_range ranges[CAPACITY];
    size_t count = 0;
    for (int remote = 0; remote < 2; remote++)
        if (expect_code(walker, mpilens_get_members(walker->process, remote, ranges, CAPACITY, &count)) == mqs_ok)
            for (size_t i = 0; i < count && i < CAPACITY; i++)
                expect(walker, ranges[i].count > 0 && ranges[i].first >= -1);
}

static void walk_communicator(struct handle_walker *walker)
{
    struct mpilens_communicator_information communicator = {.struct_size = sizeof communicator};
    expect(walker, mpilens_get_communicator_object(walker->process, &communicator) == mqs_ok);
    EXPECT_TEXT(walker, communicator.name);
    EXPECT_TEXT(walker, communicator.function);
}

static void walk_topology(struct handle_walker *walker)
{
    struct mpilens_topology_information topology = {.struct_size = sizeof topology};
    int32_t values[CAPACITY];
    size_t count = 0;
    if (expect_code(walker, mpilens_get_topology(walker->process, &topology)) == mqs_ok)
        expect(walker, topology.kind <= 3);
    if (expect_code(walker, mpilens_get_topology_values(walker->process, values, CAPACITY, &count)) == mqs_ok)
        expect(walker, count <= CAPACITY && count <= topology.value_count);
}

static void walk_texts(struct handle_walker *walker)
{
    char key[32];
    char value[32];
    for (size_t i = 0; i < TEXT_LIMIT; i++) {
        if (expect_code(walker, mpilens_get_text_pair(walker->process, i, key, sizeof key, value, sizeof value)) !=
            mqs_ok)
            return;
        EXPECT_TEXT(walker, key);
        EXPECT_TEXT(walker, value);
    }
}

static void walk_attributes(struct handle_walker *walker)
{
    struct mpilens_attribute_information attribute = {.struct_size = sizeof attribute};
    expect(walker, mpilens_setup_attribute_iterator(walker->process) == mqs_ok);
    while (expect_code(walker, mpilens_next_attribute(walker->process, &attribute)) == mqs_ok)
        EXPECT_TEXT(walker, attribute.keyval_name);
}

static void walk_datatype(struct handle_walker *walker)
{
    struct mpilens_datatype_contents contents = {.struct_size = sizeof contents};
    struct mpilens_type_map_entry entry = {.struct_size = sizeof entry};
    struct mpilens_object_information argument = {.struct_size = sizeof argument};
    int64_t arguments[CAPACITY];
    size_t count = 0;
    expect(walker, mpilens_get_datatype_contents(walker->process, &contents) == mqs_ok);
    expect(walker, strcmp(mpilens_combiner_name(contents.combiner), "") != 0);
    if (expect_code(walker, mpilens_get_datatype_arguments(walker->process, arguments, CAPACITY, &count)) == mqs_ok)
        expect(walker, count <= CAPACITY);
    for (size_t i = 0; i < CAPACITY; i++) {
        int code = expect_code(walker, mpilens_get_datatype_argument(walker->process, i, &argument));
        if (code == mqs_end_of_list)
            break;
        if (code == mqs_ok)
            EXPECT_TEXT(walker, argument.name);
    }
    struct mpilens_element_run runs[CAPACITY];
    struct mpilens_type_hole holes[CAPACITY];
    int is_cut = 0;
    if (expect_code(walker, mpilens_get_element_runs(walker->process, runs, CAPACITY, &count, &is_cut)) == mqs_ok) {
        expect(walker, count <= CAPACITY);
        for (size_t i = 0; i < count && i < CAPACITY; i++)
            expect(walker, runs[i].count > 0);
    }
    if (expect_code(walker, mpilens_get_type_holes(walker->process, holes, CAPACITY, &count, &is_cut)) == mqs_ok) {
        expect(walker, count <= CAPACITY);
        for (size_t i = 0; i < count && i < CAPACITY; i++)
            expect(walker, holes[i].bytes > 0);
    }
    if (expect_code(walker, mpilens_setup_type_map_iterator(walker->process)) != mqs_ok)
        return;
    for (size_t i = 0; i < ENTRY_LIMIT; i++) {
        if (expect_code(walker, mpilens_next_type_map_entry(walker->process, &entry)) != mqs_ok)
            break;
        EXPECT_TEXT(walker, entry.basic);
        expect(walker, entry.count > 0 && entry.repeat > 0 && entry.basic_size > 0);
    }
}

static void walk_users(struct handle_walker *walker)
{
    struct mpilens_user_information user = {.struct_size = sizeof user};
    if (expect_code(walker, mpilens_setup_user_iterator(walker->process)) != mqs_ok)
        return;
    for (size_t i = 0; i < USER_LIMIT && expect_code(walker, mpilens_next_user(walker->process, &user)) == mqs_ok; i++)
        EXPECT_TEXT(walker, user.name);
}

/* Walks the lines of the page that was made last. */
static void walk_page(struct handle_walker *walker)
{
    struct mpilens_page_line line = {.struct_size = sizeof line};
    uint32_t deepest = 0;
    for (size_t i = 0; i < LINE_LIMIT && expect_code(walker, mpilens_next_page_line(walker->process, &line)) == mqs_ok;
         i++) {
        EXPECT_TEXT(walker, line.label);
        EXPECT_TEXT(walker, line.text);
        expect(walker, line.depth <= deepest && (line.site == 0 || line.function == 0));
        deepest = line.depth + 1;
    }
}

static void walk_facts(struct handle_walker *walker, int kind)
{
    struct mpilens_handle_information handle = {.struct_size = sizeof handle};
    char text[64];
    if (kind != MPILENS_OBJECT_ATTRIBUTE) {
        expect(walker, mpilens_get_handle(walker->process, &handle) == mqs_ok);
        EXPECT_TEXT(walker, handle.freed_function);
    }
    expect(walker, mpilens_summarize_object(walker->process, text, sizeof text) == mqs_ok);
    EXPECT_TEXT(walker, text);
    struct mpilens_summary_information summary = {.struct_size = sizeof summary};
    expect(walker, mpilens_get_summary(walker->process, &summary) == mqs_ok);
    EXPECT_TEXT(walker, summary.text);
    expect(walker, (uint64_t)summary.function_offset + summary.function_bytes <= strlen(summary.text));
    walk_users(walker);
    if (expect_code(walker, mpilens_setup_object_page(walker->process)) == mqs_ok)
        walk_page(walker);
    if (kind == MPILENS_OBJECT_COMMUNICATOR || kind == MPILENS_OBJECT_GROUP)
        walk_members(walker);
    if (kind == MPILENS_OBJECT_COMMUNICATOR) {
        walk_communicator(walker);
        walk_topology(walker);
    }
    if (kind == MPILENS_OBJECT_COMMUNICATOR || kind == MPILENS_OBJECT_WINDOW || kind == MPILENS_OBJECT_FILE ||
        kind == MPILENS_OBJECT_INFO || kind == MPILENS_OBJECT_SESSION)
        walk_texts(walker);
    if (kind == MPILENS_OBJECT_COMMUNICATOR || kind == MPILENS_OBJECT_WINDOW || kind == MPILENS_OBJECT_DATATYPE)
        walk_attributes(walker);
    if (kind == MPILENS_OBJECT_DATATYPE)
        walk_datatype(walker);
}

uint64_t walk_handle(mqs_process *process, const struct mpilens_object_information *object)
{
    struct handle_walker walker = {.process = process};
    struct mpilens_object_information again = {.struct_size = sizeof again};
    const int kind = (int)object->kind;
    walk_facts(&walker, kind);
    if (kind == MPILENS_OBJECT_ATTRIBUTE)
        return walker.wrong;
    for (int language = MPILENS_HANDLE_C; language <= MPILENS_HANDLE_FORTRAN; language++) {
        int code = mpilens_find_object(process, kind, (enum mpilens_handle_language)language, object->handle, &again);
        expect_code(&walker, code);
        if (code == mqs_ok)
            expect(&walker, again.kind == (uint32_t)kind);
    }
    if (kind != MPILENS_OBJECT_MESSAGE &&
        expect_code(&walker, mpilens_find_object_by_serial(process, kind, object->serial, &again)) == mqs_ok)
        expect(&walker, again.serial == object->serial && !(again.flags & MPILENS_OBJECT_NULL));
    return walker.wrong;
}

uint64_t walk_request_handle(mqs_process *process, uint64_t request)
{
    struct handle_walker walker = {.process = process};
    struct mpilens_operation_information information = {.struct_size = sizeof information};
    char text[64];
    for (int language = MPILENS_HANDLE_C; language <= MPILENS_HANDLE_FORTRAN; language++)
        if (expect_code(&walker, mpilens_find_request(process, (enum mpilens_handle_language)language, request,
                                                      &information)) == mqs_ok) {
            EXPECT_TEXT(&walker, information.function);
            EXPECT_TEXT(&walker, information.datatype);
            if (expect_code(&walker, mpilens_summarize_request(process, &information, text, sizeof text)) == mqs_ok)
                EXPECT_TEXT(&walker, text);
            if (expect_code(&walker, mpilens_setup_request_page(process, &information)) == mqs_ok)
                walk_page(&walker);
        }
    return walker.wrong;
}

uint64_t walk_status(mqs_process *process, mqs_taddr_t address)
{
    struct handle_walker walker = {.process = process};
    struct mpilens_status_information status = {.struct_size = sizeof status};
    char text[64];
    if (expect_code(&walker, mpilens_get_status(process, address, &status)) != mqs_ok)
        return walker.wrong;
    expect(&walker, status.bytes >= -1 && status.cancelled >= -1);
    expect(&walker, mpilens_summarize_status(&status, text, sizeof text) == mqs_ok);
    EXPECT_TEXT(&walker, text);
    expect(&walker, mpilens_setup_status_page(process, &status) == mqs_ok);
    walk_page(&walker);
    return walker.wrong;
}
