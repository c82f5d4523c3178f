/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Call stacks: frames of libraries are folded, stacks of many ranks are merged, and what is shown of them.
 */
#include "analysis/analysis.h"
#include "base/base.h"
#include "model_builder.h"
#include "render/html/render_html_internal.h"
#include "render/text/render_text_internal.h"
#include "rendered.h"
#include "stack/stack.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM "/home/me/app"
#define LIBC    "/lib/libc.so.6"
#define MPI     "/usr/lib/libmpich.so.12"
#define RUNTIME "/opt/lib/libmpilens-mpich.so"

static const struct site sum = {.module = PROGRAM, .function = "sum", .file = "comm.c", .line = 7};
static const struct site cg = {.module = PROGRAM, .function = "cg", .file = "cg.c", .line = 11};
static const struct site statistics = {.module = PROGRAM, .function = "statistics", .file = "io.c", .line = 3};
static const struct site in_main = {.module = PROGRAM, .function = "main", .file = "main.c", .line = 20};
static const struct site compare = {.module = PROGRAM, .function = "compare", .file = "sort.c", .line = 2};
static const struct site jump = {.module = PROGRAM};
static const struct site start = {.module = PROGRAM, .function = "_start"};
static const struct site libc_start = {.module = LIBC, .function = "__libc_start_call_main"};
static const struct site libc_thread = {.module = LIBC, .function = "clone3"};
static const struct site sort = {.module = LIBC, .function = "__qsort_r"};
static const struct site poll = {.module = LIBC, .function = "__poll"};
static const struct site progress = {.module = MPI, .function = "progress_wait"};
static const struct site allreduce = {.module = MPI, .function = "PMPI_Allreduce"};
static const struct site wrapper = {.module = RUNTIME, .function = "MPI_Allreduce"};
static const struct site linked_in = {.module = PROGRAM, .function = "PMPI_Recv"};
static const struct site linked_helper = {.module = PROGRAM, .function = "MPI_Recv_helper"};
static const struct site stripped_sum = {.module = PROGRAM, .offset = 0x11ae};
static const struct site stripped_main = {.module = PROGRAM, .offset = 0x12f7};
static const struct site invoke = {
    .module = PROGRAM, .function = "std::__invoke_impl<void, main::{lambda}&>", .file = "invoke.h", .line = 61};
static const struct site function_object = {
    .module = PROGRAM, .function = "std::function<void ()>::operator()", .file = "std_function.h", .line = 591};
static const struct site unknown = {.module = NULL};
static const struct site nameless = {.module = "/home/me/liblayer.so"};
static const struct site python = {.module = "/usr/bin/python3.11", .function = "_PyEval_EvalFrameDefault"};

enum { MOST_FRAMES = 16, SUM_ADDRESS = 4096, LONG = 600, MOST_EXPECTED = 512 };

/* Adds a stack with frames at these sites, innermost first, to a process. */
static struct call_stack *add_stack(struct job *job, struct process *process, int tid, bool is_cut,
                                    const struct site *const *sites)
{
    struct stack_frame frames[MOST_FRAMES] = {{0}};
    struct thread_stack thread = {.tid = tid, .frames = frames, .is_cut = is_cut};
    for (; sites[thread.frame_count] != NULL; thread.frame_count++) {
        const struct site *site = sites[thread.frame_count];
        frames[thread.frame_count] =
            (struct stack_frame){.site = site != &unknown ? site : NULL, .address = site == &sum ? SUM_ADDRESS : 1};
    }
    const struct stacks stacks = {.threads = &thread, .thread_count = 1};
    process_take_call_stacks(job, process, &stacks);
    return &process->call_stacks[process->call_stack_count - 1];
}
#define ADD(job, process, tid, is_cut, ...)                                                                            \
    add_stack(job, process, tid, is_cut, (const struct site *const[]){__VA_ARGS__, NULL})

static void expect_lines(const struct call_stack *stack, const char *expected)
{
    char *text = copy_text("");
    for (size_t i = 0; i < stack->line_count; i++) {
        char *line = describe_stack_line(&stack->lines[i]), *before = text;
        text = format_text("%s%s%s", before, i > 0 ? " < " : "", line);
        free(before);
        free(line);
    }
    cr_expect_str_eq(text, expected);
    free(text);
}

Test(call_stack, frames_of_libraries_are_folded)
{
    struct job job = build_job(1);
    struct process *process = &job.processes[0];
    const struct call_stack *stack =
        ADD(&job, process, 1, false, &poll, &progress, &allreduce, &wrapper, &sum, &cg, &in_main, &libc_start, &start);
    expect_lines(stack, "MPI_Allreduce (MPI library) < sum (comm.c:7) < cg (cg.c:11) < main (main.c:20)");
    cr_expect_eq(stack->lines[0].frames, 4);
    expect_lines(ADD(&job, process, 2, false, &poll, &in_main, &libc_start), "poll (libc.so.6) < main (main.c:20)");
    expect_lines(ADD(&job, process, 3, false, &compare, &sort, &jump, &in_main),
                 "compare (sort.c:2) < qsort_r (libc.so.6) < main (main.c:20)");
    expect_lines(ADD(&job, process, 4, false, &compare, &allreduce, &in_main),
                 "compare (sort.c:2) < MPI_Allreduce (MPI library) < main (main.c:20)");
    stack = ADD(&job, process, 5, false, &cg, &cg, &cg, &in_main);
    expect_lines(stack, "cg (cg.c:11) (repeated) < main (main.c:20)");
    cr_expect_eq(stack->lines[0].frames, 3);
    expect_lines(ADD(&job, process, 6, false, &linked_helper, &linked_in, &in_main),
                 "MPI_Recv (MPI library) < main (main.c:20)");
    expect_lines(ADD(&job, process, 7, false, &sum, &python, &python, &python), "sum (comm.c:7)");
    expect_lines(ADD(&job, process, 8, true, &sum, &python), "sum (comm.c:7) < interpreter");
    job_clear(&job);
}

/* Templates of C++ are compiled into the program: frames between two of its functions are one line. */
Test(call_stack, templates_of_the_language_are_folded)
{
    struct job job = build_job(1);
    struct process *process = &job.processes[0];
    const struct call_stack *stack =
        ADD(&job, process, 1, false, &allreduce, &sum, &invoke, &invoke, &function_object, &cg, &in_main);
    expect_lines(stack, "MPI_Allreduce (MPI library) < sum (comm.c:7) < std::function<void ()>::operator() (app) < "
                        "cg (cg.c:11) < main (main.c:20)");
    cr_expect_eq(stack->lines[2].frames, 3);
    expect_lines(ADD(&job, process, 2, false, &allreduce, &function_object, &in_main),
                 "MPI_Allreduce (MPI library) < std::function<void ()>::operator() (std_function.h:591) < main "
                 "(main.c:20)");
    expect_lines(ADD(&job, process, 3, false, &allreduce, &sum, &invoke, &libc_thread),
                 "MPI_Allreduce (MPI library) < sum (comm.c:7)");
    job_clear(&job);
}

Test(call_stack, frames_without_names)
{
    struct job job = build_job(1);
    struct process *process = &job.processes[0];
    expect_lines(ADD(&job, process, 1, false, &allreduce, &stripped_sum, &stripped_main, &libc_start),
                 "MPI_Allreduce (MPI library) < app+0x11ae < app+0x12f7");
    expect_lines(ADD(&job, process, 2, false, &stripped_sum, &stripped_main), "app+0x11ae < app+0x12f7");
    expect_lines(ADD(&job, process, 3, true, &poll, &unknown), "poll (libc.so.6)");
    expect_lines(ADD(&job, process, 4, false, &sum, &unknown, &in_main), "sum (comm.c:7) < main (main.c:20)");
    job_clear(&job);
}

Test(call_stack, threads_of_libraries)
{
    struct job job = build_job(1);
    struct call_stack *stack = ADD(&job, &job.processes[0], 1, false, &poll, &progress, &libc_thread);
    expect_lines(stack, "MPI library");
    cr_expect_not(call_stack_is_of_program(stack));
    stack = ADD(&job, &job.processes[0], 2, false, &poll, &libc_thread);
    expect_lines(stack, "poll (libc.so.6)");
    stack = ADD(&job, &job.processes[0], 3, false, &sum, &libc_thread);
    cr_expect(call_stack_is_of_program(stack));
    job_clear(&job);
}

/* Ranks 0 to 5 with a stack each in MPI_Allreduce, which rank 4 has come to another way; rank 2 has a second thread. */
static struct job build_stacks(void)
{
    struct job job = build_job(6);
    for (int rank = 0; rank < 6; rank++) {
        struct process *process = &job.processes[rank];
        process->threads = array_append(process->threads, &process->thread_count, sizeof *process->threads);
        process->threads[0] = (struct thread){.tid = 10,
                                              .function = "MPI_Allreduce",
                                              .site = &sum,
                                              .site_address = SUM_ADDRESS,
                                              .age_s = 3,
                                              .spawned = ""};
        ADD(&job, process, 10, false, &allreduce, &sum, rank == 4 ? &statistics : &cg, &in_main);
        if (rank == 2)
            ADD(&job, process, 11, false, &compare, &cg, &in_main);
        ADD(&job, process, 12, false, &progress);
    }
    return job;
}

static const char tree_text[] = "\n"
                                "STACK                              RANKS\n"
                                "main (main.c:20)                   6 ranks [0-5], 7 threads\n"
                                "|-cg (cg.c:11)                     5 ranks [0-3,5], 6 threads\n"
                                "| |-sum (comm.c:7)                 5 ranks [0-3,5]\n"
                                "| | `-MPI_Allreduce (MPI library)\n"
                                "| `-compare (sort.c:2)             rank 2\n"
                                "`-statistics (io.c:3)              rank 4\n"
                                "  `-sum (comm.c:7)\n"
                                "    `-MPI_Allreduce (MPI library)\n"
                                "6 threads of libraries are not shown: --all shows them\n";

Test(stack_tree, equal_calls_are_there_once)
{
    struct job job = build_stacks();
    const struct render_options options = {.stack = true};
    char *text = rendered(render_stacks, &job, &options);
    cr_expect_str_eq(text, tree_text);
    free(text);
    job_clear(&job);
}

Test(stack_tree, chosen_ranks_and_all_threads)
{
    struct job job = build_stacks();
    struct render_options options = {.stack = true, .all = true};
    rank_set_parse(&options.ranks, "4");
    char *text = rendered(render_stacks, &job, &options);
    cr_expect_null(strstr(text, "cg.c"));
    cr_expect_not_null(strstr(text, "statistics (io.c:3)"));
    cr_expect_not_null(strstr(text, "\nMPI library "), "%s", text);
    free(text);
    rank_set_clear(&options.ranks);
    job_clear(&job);
}

Test(stack_tree, deep_and_cut)
{
    struct job job = build_job(1);
    static struct site sites[LONG];
    static struct stack_frame frames[LONG];
    struct thread_stack thread = {.tid = 1, .frames = frames, .frame_count = LONG};
    for (int i = 0; i < LONG; i++) {
        sites[i] = (struct site){.module = PROGRAM, .function = "f", .file = "f.c", .line = i + 1};
        frames[i].site = &sites[i];
    }
    const struct stacks stacks = {.threads = &thread, .thread_count = 1};
    process_take_call_stacks(&job, &job.processes[0], &stacks);
    const struct call_stack *stack = &job.processes[0].call_stacks[0];
    cr_expect_eq(stack->line_count, MOST_EXPECTED);
    cr_expect(stack->is_cut);
    const struct rank_set all = {.count = 0};
    struct stack_tree tree = stack_tree_make(&job, &all, false);
    cr_assert_eq(tree.root.child_count, 1);
    cr_expect_str_eq(tree.root.children[0]->text, "...");
    job_clear(&job);
}

Test(stack_tree, threads_that_were_left_out)
{
    struct job job = build_job(1);
    struct thread_stack threads[] = {{.tid = 1, .is_left_out = true, .is_cut = true}, {.tid = 2, .is_cut = true}};
    const struct stacks stacks = {.threads = threads, .thread_count = 2};
    process_take_call_stacks(&job, &job.processes[0], &stacks);
    cr_expect_eq(job.processes[0].call_stack_count, 1, "of a thread that has ended there is nothing to say");
    const struct render_options options = {.stack = true};
    char *text = rendered(render_stacks, &job, &options);
    cr_expect_str_eq(text, "\nSTACK  RANKS\n...    rank 0\n");
    free(text);
    job_clear(&job);
}

Test(call_paths, ways_to_the_calls_of_a_finding)
{
    struct job job = build_stacks();
    struct findings findings = {0};
    struct finding *finding = findings_add(&findings, FINDING_DEADLOCK);
    for (int rank = 0; rank < 6; rank++)
        evidence_add(&finding->evidence, rank, 0, "in MPI_Allreduce()", evidence_place(&sum, "MPI_Allreduce"), 3);
    finding_finish(finding);
    struct call_paths paths = call_paths_of(&job, finding);
    cr_assert_eq(paths.count, 2);
    cr_expect_str_eq(paths.items[0].text, "sum (comm.c:7) < cg (cg.c:11) < main (main.c:20)");
    cr_expect_eq(paths.items[0].ranks.count, 5);
    cr_expect_str_eq(paths.items[1].text, "sum (comm.c:7) < statistics (io.c:3) < main (main.c:20)");
    cr_expect(paths.items[1].ranks.count == 1 && paths.items[1].ranks.items[0] == 4);
    job.processes[0].threads[0].site_address = 1; /* it has gone on since */
    paths = call_paths_of(&job, finding);
    cr_expect_eq(paths.items[0].ranks.count, 4);
    finding->evidence.items[0].site = "main.c:20 main";
    paths = call_paths_of(&job, finding);
    cr_expect_eq(paths.count, 0, "the evidence is of another call");
    job_clear(&job);
}

/* Copies the last path to a call of sum() with this stack, in a job with one rank; NULL: there is none. */
static char *find_path(bool is_cut, const struct site *const *sites)
{
    struct job job = build_job(1);
    struct process *process = &job.processes[0];
    process->threads = array_append(process->threads, &process->thread_count, sizeof *process->threads);
    process->threads[0] = (struct thread){
        .tid = 10, .function = "MPI_Allreduce", .site = &sum, .site_address = SUM_ADDRESS, .age_s = 3, .spawned = ""};
    add_stack(&job, process, 10, is_cut, sites);
    struct findings findings = {0};
    struct finding *finding = findings_add(&findings, FINDING_DEADLOCK);
    evidence_add(&finding->evidence, 0, 0, "in MPI_Allreduce()", evidence_place(&sum, "MPI_Allreduce"), 3);
    finding_finish(finding);
    struct call_paths paths = call_paths_of(&job, finding);
    char *path = paths.count > 0 ? copy_text(paths.items[paths.count - 1].text) : NULL;
    job_clear(&job);
    return path;
}

static bool has_path(const struct site *caller)
{
    char *path = find_path(false, (const struct site *const[]){&allreduce, &sum, caller, &libc_start, NULL});
    const bool is_found = path != NULL;
    free(path);
    return is_found;
}

Test(call_paths, long_ones_keep_both_ends)
{
    char *path = find_path(false, (const struct site *const[]){&allreduce, &sum, &cg, &statistics, &compare, &cg,
                                                               &in_main, &libc_start, NULL});
    cr_expect_str_eq(path, "sum (comm.c:7) < cg (cg.c:11) < statistics (io.c:3) < compare (sort.c:2) < cg (cg.c:11) < "
                           "main (main.c:20)");
    free(path);
    path = find_path(false, (const struct site *const[]){&allreduce, &sum, &cg, &statistics, &cg, &sum, &compare, &cg,
                                                         &in_main, &libc_start, NULL});
    cr_expect_str_eq(path, "sum (comm.c:7) < cg (cg.c:11) < statistics (io.c:3) < ... < compare (sort.c:2) < "
                           "cg (cg.c:11) < main (main.c:20)");
    free(path);
    path = find_path(true, (const struct site *const[]){&allreduce, &sum, &cg, NULL});
    cr_expect_str_eq(path, "sum (comm.c:7) < cg (cg.c:11) < ...");
    free(path);
}

Test(call_paths, only_where_they_say_more)
{
    cr_expect(has_path(&cg));
    cr_expect_not(has_path(&libc_start), "the place of the call says it all");
    cr_expect_not(has_path(&nameless), "nobody knows who has called it");
}

Test(call_stack, json)
{
    struct job job = build_stacks();
    const struct render_options options = {0};
    json_t *document = rendered_json(&job, &options);
    json_t *process = json_array_get(json_object_get(document, "processes"), 2);
    json_t *thread = json_array_get(json_object_get(process, "threads"), 0);
    json_t *stack = json_object_get(thread, "stack");
    cr_assert_eq(json_array_size(stack), 4);
    json_t *mpi = json_array_get(stack, 0), *caller = json_array_get(stack, 1);
    cr_expect_str_eq(json_string_value(json_object_get(mpi, "kind")), "mpi");
    cr_expect_str_eq(json_string_value(json_object_get(mpi, "function")), "MPI_Allreduce");
    cr_expect_str_eq(json_string_value(json_object_get(caller, "kind")), "program");
    cr_expect_str_eq(json_string_value(json_object_get(caller, "function")), "sum");
    cr_expect_eq(json_integer_value(json_object_get(caller, "line")), 7);
    cr_expect(json_is_false(json_object_get(thread, "stack_is_cut")));
    json_t *others = json_object_get(process, "other_threads");
    cr_assert_eq(json_array_size(others), 2);
    cr_expect_eq(json_integer_value(json_object_get(json_array_get(others, 0), "tid")), 11);
    json_decref(document);
    process_clear_contents(&job.processes[2]);
    job_clear(&job);
    job = build_job(1);
    job.processes[0].threads = array_append(NULL, &job.processes[0].thread_count, sizeof(struct thread));
    job.processes[0].threads[0].function = "";
    document = rendered_json(&job, &options);
    thread = json_array_get(json_object_get(json_array_get(json_object_get(document, "processes"), 0), "threads"), 0);
    cr_expect(json_is_null(json_object_get(thread, "stack")), "not read");
    json_decref(document);
    job_clear(&job);
}

Test(call_stack, page)
{
    static const struct site odd = {.module = PROGRAM, .function = "<script>", .file = "a\"b.c", .line = 1};
    struct job job = build_stacks();
    const struct render_options options = {0};
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    ADD(&job, &job.processes[5], 13, false, &odd, &in_main);
    html_write_stacks(stream, &job, &options);
    fclose(stream);
    cr_expect_not_null(strstr(text, "<span class=\"frames\">cg (cg.c:11)</span> <small><a href=\"#rank=0-3,5\">"), "%s",
                       text);
    cr_expect_not_null(strstr(text, "&lt;script&gt; (a&quot;b.c:1)"), "%s", text);
    free(text);
    job_clear(&job);
    job = build_job(1);
    stream = open_memstream(&text, &bytes);
    html_write_stacks(stream, &job, &options);
    fclose(stream);
    cr_expect_str_eq(text, "", "no stacks, no section");
    free(text);
    job_clear(&job);
}
