/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Text and JSON of hand-made jobs.
 */
#include "base/base.h"
#include "job_facts.h"
#include "model_builder.h"
#include "render/json/render_json.h"
#include "render/text/render_text_internal.h"
#include "rendered.h"
#include "stack/stack.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void expect_fields(json_t *object, const char *const *names)
{
    for (; *names != NULL; names++)
        cr_expect_not_null(json_object_get(object, *names), "no %s", *names);
}

static json_t *at(json_t *object, const char *array, size_t index)
{
    json_t *element = json_array_get(json_object_get(object, array), index);
    cr_assert_not_null(element, "%s[%zu]", array, index);
    return element;
}

static void add_thread(struct process *process, const char *function, uint64_t waiting)
{
    process->threads = array_append(process->threads, &process->thread_count, sizeof *process->threads);
    struct thread *thread = &process->threads[process->thread_count - 1];
    thread->tid = (uint32_t)process->pid;
    thread->function = function;
    thread->age_s = 3;
    thread->waiting_count = waiting > 0;
    if (waiting > 0) {
        thread->waiting = allocate(sizeof *thread->waiting);
        thread->waiting[0] = waiting;
        thread->waiting_known = 1;
    }
}

static void expect_text(const char *text, const char *part)
{
    cr_expect_not_null(strstr(text, part), "'%s' is not in\n%s", part, text);
}

Test(render, every_field_of_the_contract)
{
    static const char *const document_fields[] = {"schema", "verb",      "samples",  "interval_s",
                                                  "job",    "processes", "findings", NULL};
    static const char *const job_fields[] = {"id", "size", "mpi", "launcher_pid", "ranks_read", "ranks_unread", NULL};
    static const char *const process_fields[] = {
        "rank",    "pid",           "host", "executable", "state", "thread_level", "untracked_operations",
        "threads", "communicators", NULL};
    static const char *const communicator_fields[] = {"id",    "handle",   "name",       "origin",      "rank", "size",
                                                      "sends", "receives", "unexpected", "collectives", NULL};
    static const char *const operation_fields[] = {
        "serial", "function", "status", "mode",   "blocking", "persistent", "partitioned", "peer", "tag",
        "bytes",  "count",    "buffer", "actual", "datatype", "request",    "age_s",       "site", NULL};
    static const char *const call_fields[] = {"function", "age_s", "polling", "site", "operations", NULL};
    struct job job = build_job(1);
    struct communicator *world = world_of(&job, 0);
    const uint64_t serial = build_receive(world, -1, -1, -1, BUILD_PENDING)->serial;
    add_thread(&job.processes[0], "MPI_Recv", serial);
    const struct render_options options = {0};
    json_t *document = rendered_json(&job, &options);
    expect_fields(document, document_fields);
    cr_expect_str_eq(json_string_value(json_object_get(document, "schema")), "mpilens/1");
    expect_fields(json_object_get(document, "job"), job_fields);
    json_t *process = at(document, "processes", 0);
    expect_fields(process, process_fields);
    json_t *call = json_object_get(at(process, "threads", 0), "call");
    expect_fields(call, call_fields);
    cr_expect_eq(json_integer_value(at(call, "operations", 0)), (json_int_t)serial);
    json_t *communicator = at(process, "communicators", 0);
    expect_fields(communicator, communicator_fields);
    json_t *receive = at(communicator, "receives", 0);
    expect_fields(receive, operation_fields);
    cr_expect(json_is_null(json_object_get(json_object_get(receive, "peer"), "local")), "any source");
    cr_expect(json_is_null(json_object_get(receive, "tag")), "any tag");
    cr_expect(json_is_null(json_object_get(receive, "actual")));
    cr_expect(json_is_null(json_object_get(receive, "site")), "not known");
    cr_expect(json_is_null(json_object_get(receive, "request")));
    json_decref(document);
    job_clear(&job);
}

Test(render, what_is_equal_at_all_members_is_text_in_json)
{
    struct job job = build_job(1);
    world_of(&job, 0)->id = UINT64_C(6191886585026664673); /* no number of JavaScript */
    add_thread(&job.processes[0], "MPI_Barrier", 0);
    job.processes[0].threads[0].communicator_id = UINT64_C(6191886585026664673);
    const struct render_options options = {0};
    json_t *document = rendered_json(&job, &options);
    json_t *process = at(document, "processes", 0);
    json_t *call = json_object_get(at(process, "threads", 0), "call");
    const char *id = json_string_value(json_object_get(at(process, "communicators", 0), "id"));
    const char *of_call = json_string_value(json_object_get(call, "communicator"));
    cr_assert(id != NULL && of_call != NULL);
    cr_expect_str_eq(id, "6191886585026664673");
    cr_expect_str_eq(of_call, "6191886585026664673");
    json_decref(document);
    job_clear(&job);
}

Test(render, unread_rank_in_json)
{
    struct job job = build_job(2);
    process_clear_contents(&job.processes[1]);
    job.processes[1].reason = copy_text("gone");
    job.processes[1].state = PROCESS_EXITED;
    const struct render_options options = {0};
    json_t *document = rendered_json(&job, &options);
    json_t *unread = at(json_object_get(document, "job"), "ranks_unread", 0);
    cr_expect_eq(json_integer_value(json_object_get(unread, "rank")), 1);
    cr_expect_str_eq(json_string_value(json_object_get(unread, "reason")), "gone");
    cr_expect_eq(json_array_size(json_object_get(json_object_get(document, "job"), "ranks_read")), 1);
    cr_expect_str_eq(json_string_value(json_object_get(at(document, "processes", 1), "state")), "exited");
    json_decref(document);
    job_clear(&job);
}

Test(render, chosen_ranks_only)
{
    struct job job = build_job(4);
    struct render_options options = {0};
    rank_set_parse(&options.ranks, "2");
    json_t *document = rendered_json(&job, &options);
    cr_expect_eq(json_array_size(json_object_get(document, "processes")), 1);
    cr_expect_eq(json_integer_value(json_object_get(at(document, "processes", 0), "rank")), 2);
    json_decref(document);
    rank_set_clear(&options.ranks);
    job_clear(&job);
}

Test(render, call_in_words)
{
    struct job job = build_job(2);
    add_thread(&job.processes[0], "MPI_Recv", build_receive(world_of(&job, 0), 1, 1, 7, BUILD_PENDING)->serial);
    add_thread(&job.processes[1], "MPI_Wait", build_receive(world_of(&job, 1), -1, -1, -1, BUILD_PENDING)->serial);
    const struct render_options options = {0};
    char *text = rendered(render_show_text, &job, &options);
    expect_text(text, "MPI_Recv(1 x MPI_INT <- 1, tag 7, MPI_COMM_WORLD)");
    expect_text(text, "MPI_Wait(1 x MPI_INT <- any, any tag, MPI_COMM_WORLD)");
    cr_expect_null(strchr(text, '\033'), "no color unless asked for");
    free(text);
    job_clear(&job);
}

Test(render, equal_ranks_together)
{
    struct job job = build_job(5);
    for (int rank = 0; rank < 5; rank++)
        add_thread(&job.processes[rank], rank == 2 ? "MPI_Bcast" : "MPI_Barrier", 0);
    struct render_options options = {0};
    char *text = rendered(render_show_text, &job, &options);
    expect_text(text, "ranks [0,1,3,4]");
    expect_text(text, "rank 2 ");
    free(text);
    options.all = true;
    text = rendered(render_show_text, &job, &options);
    cr_expect_null(strstr(text, "ranks ["));
    free(text);
    job_clear(&job);
}

Test(render, long_queues_are_cut)
{
    struct job job = build_job(2);
    for (int tag = 0; tag < 100; tag++)
        build_receive(world_of(&job, 0), 1, 1, tag, BUILD_PENDING);
    for (int i = 0; i < 50; i++)
        build_receive(world_of(&job, 1), 0, 0, 5, BUILD_PENDING);
    struct render_options options = {0};
    char *text = rendered(render_show_text, &job, &options);
    expect_text(text, "+ 90 more");
    expect_text(text, "50 x receive");
    free(text);
    options.all = true;
    text = rendered(render_show_text, &job, &options);
    cr_expect_null(strstr(text, "more"));
    cr_expect_null(strstr(text, "50 x"));
    free(text);
    job_clear(&job);
}

Test(render, communicators_of_one_origin_are_numbered)
{
    struct job job = build_job(2);
    for (int rank = 0; rank < 2; rank++)
        for (uint64_t id = 10; id < 12; id++)
            build_communicator(&job.processes[rank], id, rank, 2, 0)->serial = (uint32_t)id;
    struct communicator_labels labels = label_communicators(&job);
    cr_expect_str_eq(find_label(&labels, 1), "MPI_COMM_WORLD");
    cr_expect_str_eq(find_label(&labels, 10), "MPI_Comm_split of MPI_COMM_WORLD #1");
    cr_expect_str_eq(find_label(&labels, 11), "MPI_Comm_split of MPI_COMM_WORLD #2");
    job_clear(&job);
}

Test(render, library_versions)
{
    static const char *const cases[][2] = {
        {"MPICH Version:\t4.0.2\nMPICH Release date:\tThu", "MPICH 4.0.2"},
        {"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4", "Open MPI 4.1.4"},
        {"Some MPI 9\nmore", "Some MPI 9"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = short_library_version(cases[i][0]);
        cr_expect_str_eq(text, cases[i][1]);
        free(text);
    }
    cr_expect_null(short_library_version(""));
}

static int render_nothing_found(FILE *stream, const struct job *job, const struct render_options *options)
{
    const struct analysis analysis = {.remark = NULL};
    return render_why_text(stream, job, &analysis, options);
}

Test(render, lost_records_are_said_with_the_verdict)
{
    const struct render_options options = {.color = false};
    struct job job = build_job(4);
    char *text = rendered(render_nothing_found, &job, &options);
    cr_expect_str_eq(text, "nothing wrong found\nranks [0-3]  not in MPI\n");
    free(text);
    job.processes[1].untracked_operations = 40;
    job.processes[2].untracked_objects = 2;
    text = rendered(render_nothing_found, &job, &options);
    cr_expect_str_eq(text, "nothing wrong found\nranks [0-3]  not in MPI\n"
                           "ranks [1,2]: 42 operations and objects were not recorded, because the memory limit of the "
                           "runtime was reached: which messages they have received is not known\n");
    free(text);
    text = rendered(render_show_json, &job, &options);
    expect_text(text, "\"lost_records\": \"ranks [1,2]: 42 operations and objects were not recorded");
    free(text);
    job.processes[1].is_identified_only = job.processes[2].is_identified_only = true;
    text = rendered(render_show_json, &job, &options);
    expect_text(text, "\"lost_records\": null");
    free(text);
    job_clear(&job);
}

/* Calls that make communicators are of no class of collective calls. */
Test(render, active_call_that_makes_a_communicator)
{
    struct job job = build_job(1);
    struct communicator *world = world_of(&job, 0);
    world->recent_collectives =
        array_append(world->recent_collectives, &world->collective_call_count, sizeof *world->recent_collectives);
    world->recent_collectives[0] = (struct collective_call){.serial = 1, .function = "MPI_Comm_split", .active = true};
    job_add_facts(&job);
    const struct render_options options = {0};
    char *text = rendered(render_show_text, &job, &options);
    expect_text(text, "  MPI_Comm_split (active)\n");
    free(text);
    job_clear(&job);
}

static char *rendered_culprits_of(const struct job *job, const struct finding *finding, bool is_ending,
                                  const char *target)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    cr_assert_not_null(stream);
    const struct render_options options = {.is_ending = is_ending, .target = target};
    render_culprits(stream, job, finding, &options);
    fclose(stream);
    return text;
}

static char *rendered_culprits(const struct job *job, const struct finding *finding, bool is_ending)
{
    return rendered_culprits_of(job, finding, is_ending, NULL);
}

Test(render, culprits_as_processes)
{
    struct job job = build_job(6);
    struct finding finding = {.culprits = {(int[]){1, 2, 3, 4, 5}, 5}};
    for (int rank = 0; rank < 6; rank++) {
        job.processes[rank].pid = 100 + rank;
        free(job.processes[rank].host);
        job.processes[rank].host = copy_text("node3");
    }
    job.processes[2].activity = ACTIVITY_STOPPED;
    job.processes[3].state = PROCESS_EXITED;
    char *text = rendered_culprits(&job, &finding, false);
    cr_expect_str_eq(text, "  rank 1: process 101 on node3: mpilens gdb 1\n"
                           "  rank 2: process 102 on node3, stopped: kill -CONT 102, or go on in the debugger that has "
                           "it\n"
                           "  rank 3: process 103 on node3, exited\n"
                           "  + 2 more: 'mpilens list --verbose' has the processes of all ranks\n");
    free(text);
    finding.culprits.count = 1;
    text = rendered_culprits_of(&job, &finding, false, "4711");
    cr_expect_str_eq(text, "  rank 1: process 101 on node3: mpilens gdb 1 4711\n");
    free(text);
    finding.culprits.count = 2;
    text = rendered_culprits(&job, &finding, true);
    cr_expect_str_eq(text, "  rank 1: process 101 on node3\n"
                           "  rank 2: process 102 on node3\n");
    free(text);
    finding.kind = FINDING_RANK_DIED;
    finding.culprits.count = 1;
    text = rendered_culprits(&job, &finding, false);
    cr_expect_str_eq(text, "  rank 1: process 101 on node3\n");
    free(text);
    job.processes[1].core = copy_text("core.101");
    text = rendered_culprits(&job, &finding, false);
    cr_expect_str_eq(text, "  rank 1: process 101 on node3: mpilens gdb 1 core.101\n");
    free(text);
    job.snapshot = copy_text("file");
    text = rendered_culprits(&job, &finding, false);
    cr_expect_str_eq(text, "  rank 1: process 101 on node3\n");
    free(text);
    job_clear(&job);
}

Test(render, culprits_on_other_hosts)
{
    struct job job = build_job(3);
    const struct finding finding = {.culprits = {(int[]){0, 1, 2}, 3}};
    for (int rank = 0; rank < 3; rank++) {
        job.processes[rank].pid = 100 + rank;
        job.processes[rank].is_saved = true;
        job.processes[rank].is_sent = true;
        free(job.processes[rank].host);
        job.processes[rank].host = copy_text("node3");
    }
    job.processes[1].activity = ACTIVITY_STOPPED;
    job.processes[2].core = copy_text("core.102"); /* there, not here */
    char *text = rendered_culprits_of(&job, &finding, false, "--slurm=4711");
    cr_expect_str_eq(text, "  rank 0: process 100 on node3: mpilens gdb 0 --slurm=4711\n"
                           "  rank 1: process 101 on node3, stopped: ssh node3 kill -CONT 101, or go on in the "
                           "debugger that has it\n"
                           "  rank 2: process 102 on node3\n");
    free(text);
    job.processes[0].is_sent = false;
    text = rendered_culprits_of(&job, &(struct finding){.culprits = {(int[]){0}, 1}}, false, NULL);
    cr_expect_str_eq(text, "  rank 0: process 100 on node3\n");
    free(text);
    job_clear(&job);
}
