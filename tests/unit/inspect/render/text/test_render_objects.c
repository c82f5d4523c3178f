/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests, windows, files and other objects of hand-made jobs, as text and as JSON.
 */
#include "base/base.h"
#include "model_builder.h"
#include "render/json/render_json.h"
#include "render/text/render_text_internal.h"
#include "rendered.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void expect_text(const struct job *job, const struct render_options *options, const char *part, bool is_there)
{
    char *text = rendered(render_show_text, job, options);
    cr_expect_eq(strstr(text, part) != NULL, is_there, "'%s' in\n%s", part, text);
    free(text);
}

static struct operation *add_request(struct process *process, uint32_t operation_class, const char *function)
{
    static struct operation_details_pool pool; /* of all tests */
    const struct operation_details details = {.function = function,
                                              .datatype = "",
                                              .offset = -1,
                                              .partition_count = -1,
                                              .site_address = process->request_count};
    process->requests = array_append(process->requests, &process->request_count, sizeof *process->requests);
    struct operation *request = &process->requests[process->request_count - 1];
    *request = (struct operation){.serial = 1000 + process->request_count,
                                  .flags = operation_class,
                                  .state = MPILENS_OPERATION_PENDING,
                                  .age_s = 2,
                                  .peer_local = -1,
                                  .peer_world = -1,
                                  .details = operation_details_share(&pool, &details)};
    return request;
}

static struct object *add_object(struct process *process, uint32_t kind, const char *name, const char *function)
{
    process->objects = array_append(process->objects, &process->object_count, sizeof *process->objects);
    struct object *object = &process->objects[process->object_count - 1];
    *object = (struct object){.kind = kind,
                              .serial = (uint32_t)process->object_count,
                              .handle = 0x8c000000 + process->object_count,
                              .name = name,
                              .references = 1,
                              .function = function,
                              .age_s = 5};
    return object;
}

static void add_window(struct process *process)
{
    struct object *object = add_object(process, MPILENS_OBJECT_WINDOW, "halo", "MPI_Win_create");
    object->communicator_id = 1;
    object->window = allocate(sizeof *object->window);
    *object->window = (struct window){
        .id = 77,
        .flavor = MPILENS_WINDOW_CREATE,
        .access_epoch = MPILENS_EPOCH_LOCK,
        .base = 0x1000,
        .bytes = 64,
        .synchronization = "MPI_Win_lock",
    };
    object->window->locks = allocate(sizeof *object->window->locks);
    object->window->lock_count = 1;
    object->window->locks[0] =
        (struct window_lock){.target_local = 1, .target_world = 1, .type = MPILENS_LOCK_EXCLUSIVE, .age_s = 1};
}

static void add_thread(struct process *process, struct thread thread)
{
    process->threads = array_append(process->threads, &process->thread_count, sizeof *process->threads);
    process->threads[process->thread_count - 1] = thread;
}

static struct thread waiting_for(const uint64_t *serials, size_t count)
{
    struct thread thread = {.function = "MPI_Waitall", .peer_local = -1, .peer_world = -1, .waiting_count = count};
    thread.waiting = allocate(count * sizeof *serials);
    memcpy(thread.waiting, serials, count * sizeof *serials);
    thread.waiting_known = count;
    return thread;
}

static json_t *first(json_t *object, const char *array)
{
    json_t *element = json_array_get(json_object_get(object, array), 0);
    cr_assert_not_null(element, "%s", array);
    return element;
}

static const char *text_of(json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "(none)";
}

Test(render_objects, nothing_new_is_said_where_nothing_new_is_there)
{
    struct job job = build_job(2);
    const struct render_options options = {0};
    expect_text(&job, &options, "REQUEST", false);
    expect_text(&job, &options, "objects", false);
    job_clear(&job);
}

Test(render_objects, requests_of_equal_ranks_are_one_line)
{
    struct job job = build_job(3);
    for (int rank = 0; rank < 3; rank++) {
        struct operation *request = add_request(&job.processes[rank], MPILENS_OPERATION_COLLECTIVE, "MPI_Ibcast");
        build_details(request)->communicator_id = 1;
        build_details(request)->collective = 7;
        request->has_root = true;
        request->peer_local = request->peer_world = 2;
        add_request(&job.processes[rank], MPILENS_OPERATION_GENERALIZED, "MPI_Grequest_start")->state =
            rank != 0 ? MPILENS_OPERATION_PENDING : MPILENS_OPERATION_PERSISTENT;
    }
    struct render_options options = {0};
    expect_text(&job, &options, "collective   root 2", true);
    expect_text(&job, &options, "call 7 on MPI_COMM_WORLD", true);
    expect_text(&job, &options, "[0-2]", true);
    expect_text(&job, &options, "inactive", false);
    options.objects = true;
    expect_text(&job, &options, "inactive", true);
    job_clear(&job);
}

Test(render_objects, calls_that_wait_for_requests)
{
    struct job job = build_job(2);
    struct process *process = &job.processes[0];
    struct operation *request = add_request(process, MPILENS_OPERATION_COLLECTIVE, "MPI_Ibarrier");
    build_details(request)->communicator_id = 1;
    build_details(request)->collective = 3;
    add_request(process, MPILENS_OPERATION_GENERALIZED, "MPI_Grequest_start");
    const uint64_t receive = build_receive(world_of(&job, 0), 1, 1, 7, BUILD_PENDING)->serial;
    const uint64_t serials[] = {receive, 1001, 1002};
    add_thread(process, waiting_for(&serials[1], 1));
    add_thread(&job.processes[1], waiting_for(serials, 0));
    add_thread(process, waiting_for(serials, 2));
    add_thread(process, waiting_for(serials, 3));
    const struct render_options options = {0};
    expect_text(&job, &options, "MPI_Waitall(MPI_Ibarrier, call 3 on MPI_COMM_WORLD)", true);
    expect_text(&job, &options, "MPI_Waitall(1 x MPI_INT <- 1, tag 7, MPI_COMM_WORLD; MPI_Ibarrier, call 3 on", true);
    expect_text(&job, &options, "MPI_Waitall(1 receive, 2 requests)", true);
    job_clear(&job);
}

Test(render_objects, calls_on_windows_and_files)
{
    struct job job = build_job(2);
    add_window(&job.processes[0]);
    add_thread(&job.processes[0], (struct thread){.function = "MPI_Win_lock",
                                                  .object_kind = MPILENS_OBJECT_WINDOW,
                                                  .object_serial = 1,
                                                  .peer_local = 1,
                                                  .peer_world = 1,
                                                  .lock_type = MPILENS_LOCK_EXCLUSIVE});
    add_thread(&job.processes[1], (struct thread){.function = "MPI_File_read_all",
                                                  .object_kind = MPILENS_OBJECT_FILE,
                                                  .object_serial = 4,
                                                  .peer_local = -1,
                                                  .peer_world = -1});
    const struct render_options options = {0};
    expect_text(&job, &options, "MPI_Win_lock(exclusive, target 1, window \"halo\")", true);
    expect_text(&job, &options, "MPI_File_read_all(file #4)", true);
    json_t *document = rendered_json(&job, &options);
    json_t *call = json_object_get(first(first(document, "processes"), "threads"), "call");
    json_t *object = json_object_get(call, "object");
    cr_expect_str_eq(text_of(object, "kind"), "window");
    cr_expect_str_eq(text_of(object, "name"), "halo");
    cr_expect_eq(json_integer_value(json_object_get(object, "serial")), 1);
    cr_expect_eq(json_integer_value(json_object_get(json_object_get(call, "target"), "world")), 1);
    cr_expect_str_eq(text_of(call, "lock"), "exclusive");
    json_decref(document);
    job_clear(&job);
}

Test(render_objects, numbers_of_objects)
{
    struct job job = build_job(4);
    for (int rank = 0; rank < 4; rank++) {
        for (int i = 0; i < 3; i++)
            add_object(&job.processes[rank], MPILENS_OBJECT_DATATYPE, "", "MPI_Type_vector");
        add_object(&job.processes[rank], MPILENS_OBJECT_COMMUNICATOR, "", "MPI_Comm_dup");
        add_object(&job.processes[rank], MPILENS_OBJECT_OP, "", "MPI_Op_create")->freed = true;
        if (rank < 3)
            add_window(&job.processes[rank]);
    }
    struct render_options options = {0};
    expect_text(&job, &options, "objects of ranks [0-2]: 3 datatypes, 1 window\n", true);
    expect_text(&job, &options, "objects of rank 3: 3 datatypes\n", true);
    options.objects = true;
    expect_text(&job, &options, "3 x datatype", true);
    expect_text(&job, &options, "locks 1 exclusive", true);
    expect_text(&job, &options, "freed", true);
    expect_text(&job, &options, "0x8c000001", false);
    options.all = true;
    expect_text(&job, &options, "0x8c000001", true);
    job_clear(&job);
}

Test(render_objects, every_field_of_requests_and_objects)
{
    static const char *const request_fields[] = {
        "serial",       "class",      "function", "status", "persistent", "request", "object", "target", "count",
        "communicator", "collective", "datatype", "bytes",  "offset",     "buffer",  "age_s",  "site",   NULL};
    static const char *const object_fields[] = {"kind",    "serial", "handle",       "name",   "references",
                                                "created", "freed",  "communicator", "window", NULL};
    static const char *const window_fields[] = {"id",
                                                "flavor",
                                                "base",
                                                "bytes",
                                                "locks",
                                                "access_epoch",
                                                "exposure_epoch",
                                                "displacement_unit",
                                                "access_group",
                                                "exposure_group",
                                                "last_synchronization",
                                                "operations",
                                                "operations_since",
                                                NULL};
    struct job job = build_job(1);
    struct process *process = &job.processes[0];
    add_window(process);
    struct operation *request = add_request(process, MPILENS_OPERATION_ONE_SIDED, "MPI_Rput");
    build_details(request)->object_kind = MPILENS_OBJECT_WINDOW;
    build_details(request)->object_serial = 1;
    request->state = MPILENS_OPERATION_RELEASED;
    const struct render_options options = {0};
    json_t *document = rendered_json(&job, &options);
    json_t *one = first(first(document, "processes"), "requests");
    for (const char *const *name = request_fields; *name != NULL; name++)
        cr_expect_not_null(json_object_get(one, *name), "no %s", *name);
    cr_expect_str_eq(text_of(one, "status"), "released");
    cr_expect_str_eq(text_of(one, "class"), "one-sided");
    cr_expect(json_is_null(json_object_get(one, "target")), "not known");
    cr_expect(json_is_null(json_object_get(one, "offset")));
    json_t *object = first(first(document, "processes"), "objects");
    for (const char *const *name = object_fields; *name != NULL; name++)
        cr_expect_not_null(json_object_get(object, *name), "no %s", *name);
    json_t *window = json_object_get(object, "window");
    for (const char *const *name = window_fields; *name != NULL; name++)
        cr_expect_not_null(json_object_get(window, *name), "no %s", *name);
    cr_expect_str_eq(text_of(first(window, "locks"), "type"), "exclusive");
    cr_expect(json_is_null(json_object_get(window, "access_group")), "not known");
    json_decref(document);
    job_clear(&job);
}

Test(render_objects, partitions_of_operations)
{
    struct job job = build_job(2);
    struct operation *send = build_send(world_of(&job, 0), 1, 1, 7, BUILD_PENDING);
    send->flags |= MPILENS_OPERATION_PARTITIONED;
    build_details(send)->partition_count = 8;
    build_details(send)->partitions_marked = 3;
    const struct render_options options = {0};
    expect_text(&job, &options, "pending, 3 of 8 ready", true);
    char *text = rendered(render_show_json, &job, &options);
    cr_expect_not_null(strstr(text, "\"partitions\": {"), "%s", text);
    cr_expect_not_null(strstr(text, "\"marked\": 3"), "%s", text);
    free(text);
    job_clear(&job);
}
