/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Findings about ranks without the runtime: from their stacks only, the odd ones first.
 */
#include "analysis/stalls/stalls.h"
#include "base/base.h"
#include "model_builder.h"
#include "render/graph/render_graph.h"
#include "render/html/render_html.h"
#include "render/json/render_json.h"
#include "render/text/render_text.h"
#include "stack/stack.h"
#include "words/words.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PAGE_BYTES = 1 << 20 };

static const struct site at_barrier = {.module = "app", .function = "main", .file = "a.c", .line = 9};
static const struct site at_receive = {.module = "app", .function = "exchange", .file = "a.c", .line = 7};
static const struct site at_work = {.module = "app", .function = "solve", .file = "solve.c", .line = 88};

/* A process that lacks tables, and whose main thread was seen so. */
static struct seen_thread *see(struct process *process, const char *function, const struct site *site)
{
    process->state = PROCESS_UNREADABLE;
    process->lacks_tables = true;
    process->reason = copy_text("it runs without the mpilens runtime");
    process->seen_threads =
        array_append(process->seen_threads, &process->seen_thread_count, sizeof *process->seen_threads);
    struct seen_thread *thread = &process->seen_threads[process->seen_thread_count - 1];
    *thread = (struct seen_thread){.tid = 1,
                                   .function = function,
                                   .called = "",
                                   .site = site,
                                   .address = 1,
                                   .activity = ACTIVITY_COMPUTING,
                                   .unchanged = true};
    return thread;
}

/* All but one wait in MPI_Barrier. */
static struct job build_unprepared(int size, int odd, const char *function, const struct site *site)
{
    struct job job = build_job(size);
    job.samples = 2;
    for (int rank = 0; rank < size; rank++)
        see(&job.processes[rank], rank == odd ? function : "MPI_Barrier", rank == odd ? site : &at_barrier);
    return job;
}

static struct findings find(const struct job *job, const char **ret_remark)
{
    struct findings findings = {.count = 0};
    *ret_remark = NULL;
    ranks_apart_find(job, 60, &findings, ret_remark);
    return findings;
}

static void expect_message(struct job *job, const char *expected, const char *culprits)
{
    const char *remark;
    struct findings findings = find(job, &remark);
    cr_assert_eq(findings.count, 1);
    cr_expect_eq(findings.items[0].kind, FINDING_RANKS_APART);
    cr_expect_str_eq(findings.items[0].message, expected);
    cr_expect_not(findings.items[0].confirmed);
    const char *text = ranks_text(&findings.items[0].culprits);
    cr_expect_str_eq(text, culprits);
    job_clear(job);
}

static void expect_remark(struct job *job, const char *expected)
{
    const char *remark;
    struct findings findings = find(job, &remark);
    cr_assert_eq(findings.count, 0);
    cr_assert_not_null(remark);
    cr_expect_str_eq(remark, expected);
    job_clear(job);
}

Test(ranks_apart, the_odd_one_comes_first)
{
    struct job job = build_unprepared(4, 2, "MPI_Recv", &at_receive);
    expect_message(&job, "rank 2 is in MPI_Recv at a.c:7 exchange; ranks [0,1,3] are in MPI_Barrier at a.c:9 main",
                   "2");
}

/* It may come in a moment, as in a job that is right: how long it is there tells only who watches it for long. */
Test(ranks_apart, a_rank_outside_mpi)
{
    static const char message[] =
        "rank 0 is not in MPI: computing at solve.c:88 solve; ranks [1-3] are in MPI_Barrier at a.c:9 main";
    struct job job = build_unprepared(4, 0, "", &at_work);
    const char *remark = arena_text("%s; since when is not known without the runtime: --interval 60 watches whether it "
                                    "stays so",
                                    message);
    expect_remark(&job, remark);
    job = build_unprepared(4, 0, "", &at_work);
    job.interval_s = 60;
    expect_message(&job, message, "0");
    job = build_unprepared(4, 0, "", &at_work);
    job.processes[0].core = copy_text("core.0"); /* nothing comes any more */
    expect_message(&job, message, "0");
    job = build_unprepared(4, 0, "", &at_work);
    job.processes[0].seen_threads[0].activity = ACTIVITY_STOPPED;
    expect_message(
        &job, "rank 0 is not in MPI: stopped at solve.c:88 solve; ranks [1-3] are in MPI_Barrier at a.c:9 main", "0");
}

/* In a callback, or by another thread. */
Test(ranks_apart, a_rank_that_computes_for_itself_while_it_is_in_mpi)
{
    struct job job = build_unprepared(4, 2, "MPI_Comm_free", &at_receive);
    job.processes[2].seen_threads[0].is_called_back = true;
    static const char caution[] =
        "; since when is not known without the runtime: --interval 60 watches whether it stays "
        "so";
    const char *remark =
        arena_text("rank 2 is in MPI_Comm_free at a.c:7 exchange; ranks [0,1,3] are in MPI_Barrier at a.c:9 "
                   "main%s",
                   caution);
    expect_remark(&job, remark);
    job = build_unprepared(4, 2, "MPI_Recv", &at_receive);
    see(&job.processes[3], "", &at_work);
    remark = arena_text("rank 2 is in MPI_Recv at a.c:7 exchange; ranks [0,1,3] are in MPI_Barrier at a.c:9 main%s",
                        caution);
    expect_remark(&job, remark);
}

Test(ranks_apart, messages_that_go_to_and_fro)
{
    struct job job = build_unprepared(2, 0, "MPI_Recv", &at_receive);
    job.processes[1].kernel = allocate(sizeof *job.processes[1].kernel);
    job.processes[1].kernel->shared_memory_changed = true;
    expect_remark(&job,
                  "rank 0 is in MPI_Recv at a.c:7 exchange; rank 1 is in MPI_Barrier at a.c:9 main; messages have "
                  "moved since they were looked at before");
}

/* By a signal or a debugger: nobody else gets on without it. */
Test(ranks_apart, a_rank_that_is_stopped)
{
    struct job job = build_unprepared(4, 0, "MPI_Barrier", &at_barrier);
    job.processes[3].seen_threads[0].activity = ACTIVITY_STOPPED;
    const char *text = describe_seen_thread(&job.processes[3].seen_threads[0]);
    cr_expect_str_eq(text, "MPI_Barrier(?), stopped");
    expect_message(
        &job, "rank 3 is in MPI_Barrier, stopped, at a.c:9 main; ranks [0-2] are in MPI_Barrier at a.c:9 main", "3");
    job = build_unprepared(4, 0, "MPI_Recv", &at_receive); /* in no majority */
    job.processes[1].seen_threads[0].activity = job.processes[2].seen_threads[0].activity = ACTIVITY_STOPPED;
    job.processes[1].pid = 7;
    const char *remark;
    struct findings findings = find(&job, &remark);
    cr_assert_eq(findings.count, 1);
    cr_expect_str_eq(findings.items[0].remedy,
                     "let ranks [1,2] go on: kill -CONT 7 and the others, or the debugger that has stopped them");
    text = ranks_text(&findings.items[0].culprits);
    cr_expect_str_eq(text, "[1,2]");
    job_clear(&job);
}

/* Parts of several hosts say nothing of the launcher. */
Test(ranks_apart, the_launcher_of_a_job_in_parts)
{
    const struct {
        const char *identity, *launcher, *start;
    } cases[] = {
        {"", NULL, "mpiexec -n 4 mpilens run "},
        {"pmix 406323201", NULL, "mpiexec -n 4 mpilens run "},
        {"pmi 8.0", NULL, "srun -n 4 mpilens run "},
        {"pmix slurm.pmix.31.0", NULL, "srun -n 4 mpilens run "},
        {"slurm 4711.0", "mpirun", "mpirun -n 4 mpilens run "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct job job = build_unprepared(4, 0, "MPI_Recv", &at_receive);
        job.identity = copy_text(cases[i].identity);
        job.launcher = cases[i].launcher != NULL ? copy_text(cases[i].launcher) : NULL;
        const char *text = describe_prepared_start(&job);
        cr_expect_eq(strncmp(text, cases[i].start, strlen(cases[i].start)), 0, "%s: %s", cases[i].identity, text);
        job_clear(&job);
    }
}

/* Rank 1, whose stack nobody can read. */
static struct job build_unseen(void)
{
    struct job job = build_unprepared(3, 0, "MPI_Recv", &at_receive);
    job.processes[1].seen_thread_count = 0;
    job.processes[1].kernel = allocate(sizeof *job.processes[1].kernel);
    *job.processes[1].kernel = (struct kernel_facts){
        .tid = 1, .state = 'D', .system_call = "", .kernel_function = "", .manager = "", .devices = ""};
    return job;
}

static void expect_unseen(struct job *job, const char *sentence, const char *remedy)
{
    const char *remark;
    struct findings findings = find(job, &remark);
    cr_assert_eq(findings.count, 1, "%s", remark);
    cr_expect_not_null(strstr(findings.items[0].message, sentence), "%s", findings.items[0].message);
    cr_expect_not_null(strstr(findings.items[0].remedy, remedy), "%s", findings.items[0].remedy);
    cr_expect(findings.items[0].culprits.count == 1 && findings.items[0].culprits.items[0] == 1);
    job_clear(job);
}

Test(ranks_apart, a_rank_whose_stack_nobody_can_read)
{
    struct job job = build_unseen();
    expect_unseen(&job, "; rank 1 sleeps in the kernel and cannot be interrupted; ", "check dmesg on rank 1's host");
    job = build_unseen();
    job.processes[1].kernel->frozen = true;
    expect_unseen(&job, "; rank 1 is frozen by its control group; ", "thaw it");
    job = build_unseen();
    job.processes[1].kernel->state = 'S'; /* it may do anything */
    expect_remark(&job, "rank 0 is in MPI_Recv at a.c:7 exchange; rank 2 is in MPI_Barrier at a.c:9 main; since when "
                        "is not known without the runtime: --interval 60 watches whether it stays so");
}

Test(ranks_apart, all_ranks_are_stopped)
{
    struct job job = build_unprepared(2, 0, "MPI_Barrier", &at_barrier);
    for (int rank = 0; rank < 2; rank++)
        job.processes[rank].seen_threads[0].activity = ACTIVITY_STOPPED;
    expect_message(&job, "ranks [0,1] are in MPI_Barrier, stopped, at a.c:9 main", "[0,1]");
}

Test(ranks_apart, nobody_is_odd_among_two)
{
    struct job job = build_unprepared(2, 0, "MPI_Recv", &at_receive);
    expect_message(&job, "rank 0 is in MPI_Recv at a.c:7 exchange; rank 1 is in MPI_Barrier at a.c:9 main", "?");
}

Test(ranks_apart, a_rank_that_has_exited)
{
    struct job job = build_unprepared(3, 1, "MPI_Barrier", &at_barrier);
    job.processes[1].lacks_tables = false;
    job.processes[1].seen_thread_count = 0;
    job.processes[1].state = PROCESS_EXITED;
    expect_message(&job, "rank 1 has exited; ranks [0,2] are in MPI_Barrier at a.c:9 main", "1");
}

Test(ranks_apart, a_rank_that_an_exception_has_ended)
{
    struct job job = build_unprepared(4, 2, "MPI_Finalize", NULL);
    job.processes[2].ends = PROGRAM_FAILED;
    job.processes[2].end = "after an uncaught exception has ended its Python program";
    const char *remark;
    struct findings findings = find(&job, &remark);
    cr_assert_eq(findings.count, 1);
    cr_expect_str_eq(findings.items[0].message,
                     "rank 2 is in MPI_Finalize after an uncaught exception has ended its Python program; ranks "
                     "[0,1,3] are in MPI_Barrier at a.c:9 main");
    cr_expect_not_null(strstr(findings.items[0].remedy, "fix the cause of rank 2's failure"), "%s",
                       findings.items[0].remedy);
    job_clear(&job);
}

Test(ranks_apart, ranks_with_the_runtime_are_at_places_too)
{
    struct job job = build_unprepared(3, 1, "MPI_Barrier", &at_barrier);
    struct process *process = &job.processes[1];
    free(process->reason);
    process->reason = NULL;
    process->lacks_tables = false;
    process->seen_thread_count = 0;
    process->threads = array_append(NULL, &process->thread_count, sizeof *process->threads);
    process->threads[0] = (struct thread){.function = "MPI_Recv", .site = &at_receive, .stalled = true};
    expect_message(&job, "rank 1 is in MPI_Recv at a.c:7 exchange; ranks [0,2] are in MPI_Barrier at a.c:9 main", "1");
}

Test(ranks_apart, all_at_one_place_is_nothing_certain)
{
    struct job job = build_unprepared(4, 2, "MPI_Barrier", &at_barrier);
    expect_remark(&job, "ranks [0-3] are in MPI_Barrier at a.c:9 main");
}

Test(ranks_apart, who_moves_is_not_stuck)
{
    struct job job = build_unprepared(4, 2, "MPI_Recv", &at_receive);
    job.processes[3].seen_threads[0].unchanged = false;
    expect_remark(&job, "rank 2 is in MPI_Recv at a.c:7 exchange; ranks [0,1,3] are in MPI_Barrier at a.c:9 main; they "
                        "were elsewhere when they were looked at before");
}

Test(ranks_apart, who_computes_may_be_anywhere)
{
    struct job job = build_unprepared(2, 0, "", &at_work);
    job.processes[1].seen_threads[0].function = "";
    expect_remark(&job, "rank 0 is not in MPI: computing at solve.c:88 solve; rank 1 is not in MPI: computing at a.c:9 "
                        "main");
}

Test(ranks_apart, of_ranks_with_the_runtime_nothing_is_said)
{
    struct job job = build_job(4);
    const char *remark;
    struct findings findings = find(&job, &remark);
    cr_expect_eq(findings.count, 0);
    cr_expect_null(remark);
    job_clear(&job);
}

static const struct site at_init = {.module = "app", .function = "main", .file = "a.c", .line = 3};

/* Ranks 0 and 2 of three are in MPI_Init, and rank 1 has not loaded MPI. */
static struct job build_start(void)
{
    struct job job = build_job(3);
    job.samples = 2;
    for (int rank = 0; rank < 3; rank++) {
        struct process *process = &job.processes[rank];
        process->age_s = 600;
        if (rank != 1) {
            see(process, "MPI_Init", &at_init);
            continue;
        }
        process->state = PROCESS_UNREADABLE;
        process->is_before_mpi = true;
        process->reason = copy_text("process 7 (run.sh) has no MPI in it so far");
    }
    return job;
}

static void expect_start_up(struct job *job, const char *expected, const char *culprits)
{
    const char *remark;
    struct findings findings = find(job, &remark);
    cr_assert_eq(findings.count, 1, "%s", remark);
    cr_expect_eq(findings.items[0].kind, FINDING_START_UP);
    cr_expect_str_eq(findings.items[0].message, expected);
    cr_expect_eq(findings.items[0].ranks.count, 3);
    const char *text = ranks_text(&findings.items[0].culprits);
    cr_expect_str_eq(text, culprits);
}

Test(ranks_apart, a_job_that_does_not_get_through_its_start)
{
    static const char message[] = "rank 1: process 7 (run.sh) has no MPI in it so far; ranks [0,2] are in MPI_Init at "
                                  "a.c:3 main; the last process was started 10 min ago";
    struct job job = build_start();
    const char *remark = arena_text("%s; since when is not known without the runtime: --interval 60 watches whether it "
                                    "stays so",
                                    message);
    expect_remark(&job, remark);
    job = build_start();
    job.interval_s = 60;
    expect_start_up(&job, message, "1");
    job.processes[2].seen_threads[0].unchanged = false;
    expect_remark(&job, "rank 1: process 7 (run.sh) has no MPI in it so far; ranks [0,2] are in MPI_Init at a.c:3 "
                        "main; the last process was started 10 min ago; they were elsewhere when they were looked at "
                        "before");
}

Test(ranks_apart, who_has_exited_never_comes_to_mpi_init)
{
    struct job job = build_start();
    struct process *process = &job.processes[1];
    process->is_before_mpi = false;
    process->state = PROCESS_EXITED;
    free(process->reason);
    process->reason = copy_text("its process 7 has exited with status 3");
    expect_start_up(&job,
                    "rank 1: its process 7 has exited with status 3; ranks [0,2] are in MPI_Init at a.c:3 main; the "
                    "last process was started 10 min ago",
                    "1");
    job_clear(&job);
}

Test(ranks_apart, what_keeps_ranks_in_mpi_init)
{
    struct job job = build_start();
    struct process *process = &job.processes[2];
    process_clear_kernel_facts(process);
    process->kernel = allocate(sizeof *process->kernel);
    *process->kernel = (struct kernel_facts){
        .tid = 1, .state = 'T', .system_call = "", .kernel_function = "", .manager = "", .devices = ""};
    job.interval_s = 60;
    expect_start_up(&job,
                    "rank 1: process 7 (run.sh) has no MPI in it so far; ranks [0,2] are in MPI_Init at a.c:3 main; "
                    "the last process was started 10 min ago; rank 2 is stopped by a signal",
                    "[1,2]");
    job_clear(&job);
}

/* One that is beyond MPI_Init is as good as all. */
Test(ranks_apart, a_job_that_has_started)
{
    struct job job = build_start();
    see(&job.processes[0], "MPI_Barrier", &at_barrier)->tid = 2;
    const char *remark;
    struct findings findings = find(&job, &remark);
    for (size_t i = 0; i < findings.count; i++)
        cr_expect_neq(findings.items[i].kind, FINDING_START_UP);
    job_clear(&job);
}

/* A loop may be seen at any of its places. */
Test(ranks_apart, the_same_is_seen_again)
{
    struct job before = build_unprepared(1, -1, "", NULL), later = build_unprepared(1, -1, "", NULL);
    struct seen_thread *first = &before.processes[0].seen_threads[0], *second = &later.processes[0].seen_threads[0];
    process_compare_seen_threads(&before.processes[0], &later.processes[0]);
    cr_expect(second->unchanged);
    first->caller_stack = 1;
    second->caller_stack = 2;
    process_compare_seen_threads(&before.processes[0], &later.processes[0]);
    cr_expect_not(second->unchanged, "the next time of a loop");
    first->caller_stack = 0;
    process_compare_seen_threads(&before.processes[0], &later.processes[0]);
    cr_expect(second->unchanged, "one of the stacks is not known");
    first->address = 2;
    process_compare_seen_threads(&before.processes[0], &later.processes[0]);
    cr_expect_not(second->unchanged, "another place of the same function");
    first->function = "MPI_Test";
    second->function = "";
    process_compare_seen_threads(&before.processes[0], &later.processes[0]);
    cr_expect(second->unchanged, "between two polls");
    first->trail = 3;
    process_compare_seen_threads(&before.processes[0], &later.processes[0]);
    cr_expect_not(second->unchanged, "in another function");
    job_clear(&before);
    job_clear(&later);
}

/* A rank that is elsewhere is not called the cause. */
Test(ranks_apart, the_picture_has_what_was_seen)
{
    struct job job = build_unprepared(4, 2, "MPI_Recv", &at_receive);
    struct analysis analysis = {.remark = NULL};
    struct reason reason;
    ranks_apart_find(&job, 60, &analysis.findings, &analysis.remark);
    FILE *stream = arena_open();
    cr_expect_eq(render_why_dot(stream, &job, &analysis, &reason), 0);
    const char *text = arena_close(stream);
    cr_expect_not_null(strstr(text, "rank 2: only its call stack is known\\nMPI_Recv(?)\\na.c:7 exchange"));
    cr_expect_null(strstr(text, "CAUSE"));
    job_clear(&job);
}

Test(ranks_apart, the_page_has_what_was_seen)
{
    struct job job = build_unprepared(4, 2, "MPI_Recv", &at_receive);
    struct analysis analysis = {.remark = NULL};
    const struct render_options options = {.color = false};
    struct reason reason;
    char path[] = "/tmp/mpilens-page-XXXXXX", *text = allocate(PAGE_BYTES);
    ranks_apart_find(&job, 60, &analysis.findings, &analysis.remark);
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    cr_assert_eq(render_why_html(path, &job, &analysis, &options, &reason), 0, "%s", reason.text);
    close(file);
    FILE *page = fopen(path, "re");
    cr_assert_not_null(page);
    text[fread(text, 1, PAGE_BYTES - 1, page)] = '\0';
    fclose(page);
    unlink(path);
    cr_expect_not_null(strstr(text, "only the call stacks are known of ranks [0-3]"));
    cr_expect_not_null(strstr(text, "MPI_Recv(?)"));
    cr_expect_null(strstr(text, "was not read"));
    free(text);
    job_clear(&job);
}

enum { MANY = 10000, MOST_SECONDS = 5, DEPTH = 12, WAYS = 16 };

/* Deep, and of many ways to the call. */
static void add_stack(struct job *job, struct process *process, struct site *ways)
{
    static const struct site library = {.module = "/usr/lib/libmpich.so.12", .function = "PMPI_Barrier"};
    struct stack_frame frames[DEPTH] = {{.address = 1, .site = &library},
                                        {.address = 2, .site = process->seen_threads[0].site}};
    for (uint64_t i = 2; i < DEPTH; i++)
        frames[i] = (struct stack_frame){.address = i + 1,
                                         .site = i % 2 == 0 ? &ways[((size_t)process->rank / i) % WAYS] : &at_work};
    struct thread_stack thread = {.tid = 1, .frames = frames, .frame_count = DEPTH};
    const struct stacks stacks = {.threads = &thread, .thread_count = 1};
    process_take_call_stacks(job, process, &stacks);
}

Test(ranks_apart, ten_thousand_ranks_in_five_seconds)
{
    struct job job = build_unprepared(MANY, 4711, "MPI_Recv", &at_receive);
    struct analysis analysis = {.remark = NULL};
    struct render_options options = {.color = false};
    struct site ways[WAYS];
    for (int way = 0; way < WAYS; way++)
        ways[way] = (struct site){.module = "app", .function = "level", .file = "solve.c", .line = 100 + way};
    for (int rank = 0; rank < MANY; rank++)
        add_stack(&job, &job.processes[rank], ways);
    const clock_t begun = clock();
    ranks_apart_find(&job, 60, &analysis.findings, &analysis.remark);
    FILE *stream = arena_open();
    cr_expect_eq(render_why_text(stream, &job, &analysis, &options), 0);
    const char *text = arena_close(stream);
    FILE *document = fopen("/dev/null", "we");
    cr_expect_eq(render_why_json(document, &job, &analysis, &options), 0);
    fclose(document);
    cr_expect_lt((clock() - begun) / CLOCKS_PER_SEC, MOST_SECONDS);
    cr_expect_not_null(strstr(text, "rank 4711 is in MPI_Recv at a.c:7 exchange; ranks [0-4710,4712-9999] are in "
                                    "MPI_Barrier at a.c:9 main"));
    cr_expect_not_null(strstr(text, "main (a.c:9)"));
    job_clear(&job);
}
