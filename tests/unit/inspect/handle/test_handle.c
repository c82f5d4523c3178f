/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handles of a fake process: the user's text, the handle found, its sentence, page and document.
 */
#include "asked_process.h"
#include "base/base.h"
#include "handle/handle.h"
#include "render/json/render_json_internal.h"
#include "render/text/render_text.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

TestSuite(handle, .init = asked_process_begin, .fini = asked_process_end);

static enum handle_result look_up(uint32_t kind, enum mpilens_handle_language language, uint64_t value,
                                  struct handle *ret_handle)
{
    const struct handle_query query = {.kind = kind, .value = value, .language = language};
    int code;
    return handle_collect(&asked.collection, &asked.process, &query, ret_handle, &code);
}

static struct handle found(uint32_t kind, uint64_t value)
{
    struct handle handle;
    cr_assert_eq(look_up(kind, MPILENS_HANDLE_C, value, &handle), HANDLE_FOUND, "0x%llx", (unsigned long long)value);
    cr_assert_eq(handle.kind, kind);
    return handle;
}

static char *page_of(const struct handle *handles, size_t count)
{
    const struct render_options options = {0};
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    cr_assert_eq(render_handles_text(stream, handles, count, &options), 0);
    fclose(stream);
    return text;
}

static void expect_page(uint32_t kind, uint64_t value, const char *sentence, const char *part)
{
    struct handle handle = found(kind, value);
    char *text = page_of(&handle, 1);
    cr_expect_eq(strncmp(text, sentence, strlen(sentence)), 0, "%s", text);
    cr_expect_not_null(strstr(text, part), "no '%s' in\n%s", part, text);
    free(text);
    handle_clear(&handle);
}

Test(handle, pages)
{
    static const struct {
        uint32_t kind;
        uint64_t value;
        const char *sentence, *part;
    } cases[] = {
        {MPILENS_OBJECT_COMMUNICATOR, 0x84000002,
         "communicator 0x84000002: rank 1 of 2, intracommunicator, split from MPI_COMM_WORLD",
         "world ranks       3, 1\n"},
        {MPILENS_OBJECT_COMMUNICATOR, 0x44000000, "communicator MPI_COMM_WORLD (0x44000000): ", "MPI (predefined)"},
        {MPILENS_OBJECT_COMMUNICATOR, COMM_NULL, "communicator MPI_COMM_NULL (0x4000000): the null handle", "\n"},
        {MPILENS_OBJECT_GROUP, 0x88000001, "group 0x88000001: ", "world ranks"},
        {MPILENS_OBJECT_DATATYPE, 0x8c000001, "datatype 0x8c000001: 24 bytes", "constructor     not known"},
        {MPILENS_OBJECT_OP, 0x98000001, "op 0x98000001: not commutative", "function        0x401700"},
        {MPILENS_OBJECT_ERRHANDLER, 0x94000001, "errhandler 0x94000001: ", "communicators"},
        {MPILENS_OBJECT_INFO, 0x9c000001, "info 0x9c000001: ", "MPI_Info_create"},
        {MPILENS_OBJECT_KEYVAL, 0xa4400001, "keyval 0xa4400001: ", "attributes of communicators"},
        {MPILENS_OBJECT_SESSION, 0x80000001, "session 0x80000001: ", "multiple"},
        {MPILENS_OBJECT_WINDOW, 0xa0000001, "window halo (0xa0000001): ", "4096 bytes at 0x8000"},
        {MPILENS_OBJECT_FILE, 0x5555000, "file out/restart.dat (0x5555000): ", "MPI_File_read_all_begin"},
        {MPILENS_OBJECT_REQUEST, REQUEST_NULL, "request MPI_REQUEST_NULL (0x2c000000): the null handle", "\n"},
    };
    asked_process_read();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_page(cases[i].kind, cases[i].value, cases[i].sentence, cases[i].part);
}

Test(handle, values_as_people_write_them)
{
    struct handle handle;
    asked_process_read();
    const uint64_t negative = (uint64_t)(int64_t)(int32_t)0x84000002;
    cr_assert_eq(look_up(MPILENS_OBJECT_COMMUNICATOR, MPILENS_HANDLE_C, negative, &handle), HANDLE_FOUND);
    handle_clear(&handle);
    cr_assert_eq(look_up(MPILENS_OBJECT_COMMUNICATOR, MPILENS_HANDLE_FORTRAN, negative, &handle), HANDLE_FOUND);
    handle_clear(&handle);
    cr_assert_eq(look_up(MPILENS_OBJECT_COMMUNICATOR, MPILENS_HANDLE_FORTRAN, 0x84000002, &handle), HANDLE_FOUND);
    handle_clear(&handle);
}

Test(handle, garbage_names_nothing)
{
    static const uint64_t values[] = {1, 0x12345678, 0x84000002ull | 1ull << 40, UINT64_MAX, 0x8c000001, 0};
    struct handle handle;
    asked_process_read();
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        cr_expect_eq(look_up(MPILENS_OBJECT_COMMUNICATOR, MPILENS_HANDLE_C, values[i], &handle), HANDLE_UNKNOWN);
        cr_expect_eq(look_up(MPILENS_OBJECT_REQUEST, MPILENS_HANDLE_C, values[i], &handle), HANDLE_UNKNOWN);
        cr_expect_eq(look_up(MPILENS_OBJECT_COMMUNICATOR, MPILENS_HANDLE_FORTRAN, values[i], &handle), HANDLE_UNKNOWN);
    }
}

Test(handle, predefined_by_name)
{
    struct handle handle;
    int code;
    struct handle_query query = {.name = "MPI_COMM_WORLD"};
    asked_process_read();
    cr_assert_eq(handle_collect_predefined(&asked.collection, &asked.process, &query, &handle, &code), HANDLE_FOUND);
    cr_expect_eq(handle.value, 0x44000000);
    handle_clear(&handle);
    query.kind = MPILENS_OBJECT_DATATYPE;
    cr_expect_eq(handle_collect_predefined(&asked.collection, &asked.process, &query, &handle, &code), HANDLE_UNKNOWN);
    query = (struct handle_query){.name = "MPI_INT"};
    cr_assert_eq(handle_collect_predefined(&asked.collection, &asked.process, &query, &handle, &code), HANDLE_FOUND);
    cr_expect_eq(handle.kind, MPILENS_OBJECT_DATATYPE);
    handle_clear(&handle);
    query = (struct handle_query){.name = "MPI_WIN_NULL"};
    cr_assert_eq(handle_collect_predefined(&asked.collection, &asked.process, &query, &handle, &code), HANDLE_FOUND);
    cr_expect(handle.is_null);
    handle_clear(&handle);
    query = (struct handle_query){.name = "halo"};
    cr_expect_eq(handle_collect_predefined(&asked.collection, &asked.process, &query, &handle, &code), HANDLE_UNKNOWN,
                 "a name that the application has given");
}

Test(handle, equal_pages_of_ranks_are_one)
{
    asked_process_read();
    struct handle handles[] = {found(MPILENS_OBJECT_OP, 0x98000001), found(MPILENS_OBJECT_OP, 0x98000001)};
    handles[0].rank = 0;
    char *text = page_of(handles, 2);
    cr_expect_not_null(strstr(text, "in ranks [0,1] of MPI_COMM_WORLD"), "%s", text);
    free(text);
    free(handles[1].lines[0].text);
    handles[1].lines[0].text = copy_text("0x98000002");
    text = page_of(handles, 2);
    cr_expect_not_null(strstr(text, "in rank 0 of"), "%s", text);
    cr_expect_not_null(strstr(text, "in rank 1 of"), "%s", text);
    free(text);
    handle_clear(&handles[0]);
    handle_clear(&handles[1]);
}

/* The caller releases it. */
static json_t *json_of(const struct handle *handle)
{
    char *text = NULL;
    size_t bytes = 0;
    struct json_stream stream = {.file = open_memstream(&text, &bytes)};
    json_write_handle(&stream, NULL, handle);
    cr_expect_eq(json_stream_finish(&stream), 0);
    fclose(stream.file);
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    cr_assert_not_null(document);
    free(text);
    return document;
}

static void expect_members(json_t *object, const char *const *members)
{
    for (; *members != NULL; members++)
        cr_expect_not_null(json_object_get(object, *members), "no %s", *members);
}

Test(handle, documents_have_every_member_of_the_contract)
{
    static const char *const common[] = {
        "kind",         "rank",    "handle",  "fortran", "name", "predefined", "freed_by_application",
        "freed_by_mpi", "created", "summary", "detail",  NULL};
    static const struct {
        uint32_t kind;
        uint64_t value;
        const char *members[20];
    } cases[] = {
        {MPILENS_OBJECT_COMMUNICATOR,
         0x84000002,
         {"id", "rank", "size", "intercommunicator", "group", "remote_group", "parent", "topology", "errhandler",
          "attributes", "requests", "windows", "files"}},
        {MPILENS_OBJECT_DATATYPE,
         0x8c000001,
         {"combiner", "integers", "addresses", "counts", "datatypes", "committed", "size", "lower_bound", "extent",
          "true_lower_bound", "true_extent", "typemap", "typemap_truncated", "holes"}},
        {MPILENS_OBJECT_WINDOW,
         0xa0000001,
         {"communicator", "flavor", "base", "bytes", "displacement_unit", "info", "last_synchronization",
          "access_epoch", "exposure_epoch", "locks", "group"}},
        {MPILENS_OBJECT_FILE,
         0x5555000,
         {"filename", "amode", "communicator", "info", "view", "requests", "atomicity", "split_collective"}},
        {MPILENS_OBJECT_GROUP, 0x88000001, {"rank", "size", "ranks", "communicators"}},
        {MPILENS_OBJECT_INFO, 0x9c000001, {"entries", "used_by"}},
        {MPILENS_OBJECT_OP, 0x98000001, {"function", "commutative", "language", "in_use_by"}},
        {MPILENS_OBJECT_ERRHANDLER, 0x94000001, {"object", "function", "language", "attached_to"}},
        {MPILENS_OBJECT_SESSION, 0x80000001, {"thread_level", "psets", "groups", "communicators"}},
        {MPILENS_OBJECT_KEYVAL, 0xa4400001, {"object", "copy_function", "delete_function", "attached_to"}},
    };
    asked_process_read();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct handle handle = found(cases[i].kind, cases[i].value);
        json_t *document = json_of(&handle);
        expect_members(document, common);
        expect_members(json_object_get(document, "detail"), cases[i].members);
        json_decref(document);
        handle_clear(&handle);
    }
}

Test(handle, requests_in_queues_have_their_operation)
{
    struct mpilens_operation receive =
        fake_job_operation(&asked.opened.job, asked.opened.job.function.irecv, MPILENS_OPERATION_RECEIVE, 2, 7);
    receive.request = 0x98000077;
    fake_job_add(&asked.opened.job, &receive);
    asked_process_read();
    struct handle handle = found(MPILENS_OBJECT_REQUEST, 0x98000077);
    json_t *document = json_of(&handle);
    json_t *operation = json_object_get(json_object_get(document, "detail"), "operation");
    cr_assert_not_null(operation);
    cr_expect_eq(json_integer_value(json_object_get(operation, "tag")), 7);
    cr_expect_str_eq(json_string_value(json_object_get(json_object_get(document, "detail"), "communicator")),
                     "0x44000000");
    json_decref(document);
    handle_clear(&handle);
}
