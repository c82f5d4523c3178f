/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The cost of one question about one handle for a debugger: callbacks that read the target, and bytes, of a fake target
 * with an object of every kind. `find` without a copy of the process, `again` in a copy that
 * mqs_update_communicator_list has taken. Then mpidbg_comm_query, whose struct lists all users of the communicator: at
 * first after the process has run, and again. Fails where a communicator takes more reads than the aim.
 */
#include "fake_contents.h"
#include "mpilens/mpidbg.h"

#include <stdio.h>
#include <stdlib.h>

enum { COMMUNICATOR_AIM = 3 };

static struct fake_job job;
static struct fake_debugger debugger;

struct cost {
    uint64_t reads;
    uint64_t bytes;
};

static struct cost begin(void)
{
    return (struct cost){debugger.reads, debugger.bytes_read};
}

static struct cost end(struct cost from)
{
    return (struct cost){debugger.reads - from.reads, debugger.bytes_read - from.bytes};
}

/* The handle of the last object of this kind; 0: there is none. */
static uint64_t some_handle(int kind)
{
    struct mpilens_object_information object = {.struct_size = sizeof object};
    uint64_t handle = 0;
    if (mpilens_setup_object_iterator(fake_process(&debugger), kind) == mqs_ok)
        while (mpilens_next_object(fake_process(&debugger), &object) == mqs_ok)
            handle = object.freed ? handle : object.handle;
    return handle;
}

static struct cost find(int kind, uint64_t handle)
{
    struct mpilens_object_information object = {.struct_size = sizeof object};
    const struct cost from = begin();
    if (mpilens_find_object(fake_process(&debugger), kind, MPILENS_HANDLE_C, handle, &object) != mqs_ok) {
        fprintf(stderr, "no %s 0x%llx\n", mpilens_object_kind_name(kind), (unsigned long long)handle);
        exit(1);
    }
    return end(from);
}

static void set_up_mpidbg(void)
{
    if (mpidbg_init_once(&debugger.basic) != MPIDBG_SUCCESS ||
        mpidbg_init_per_image(fake_image(&debugger), &debugger.image, NULL) != MPIDBG_SUCCESS ||
        mpidbg_init_per_process(fake_process(&debugger), &debugger.process, NULL) != MPIDBG_SUCCESS)
        exit(1);
}

static struct cost query(mqs_taddr_t handle)
{
    struct mpidbg_comm_info_t *info = NULL;
    const struct cost from = begin();
    if (mpidbg_comm_query(fake_image(&debugger), debugger.image_info, fake_process(&debugger), debugger.process_info,
                          handle, &info) != MPIDBG_SUCCESS) {
        fprintf(stderr, "no answer about communicator 0x%lx\n", (unsigned long)handle);
        exit(1);
    }
    const struct cost cost = end(from);
    mpidbg_comm_handle_free((struct mpidbg_comm_handle_t *)(void *)info);
    return cost;
}

static bool is_too_much(const char *what, struct cost cost)
{
    if (cost.reads <= COMMUNICATOR_AIM)
        return false;
    printf("FAIL: %s takes more than %d reads\n", what, COMMUNICATOR_AIM);
    return true;
}

static void open_debugger(void)
{
    fake_debugger_init(&debugger, job.target);
    if (fake_debugger_open(&debugger) != mqs_ok)
        exit(1);
}

int main(void)
{
    static struct fake_objects objects;
    static struct fake_contents contents;
    uint64_t handles[MPILENS_OBJECT_KIND_COUNT] = {0};
    struct cost costs[MPILENS_OBJECT_KIND_COUNT] = {{0}};
    fake_job_create(&job, &(struct fake_options){0});
    fake_job_populate(&job);
    fake_objects_add(&objects, &job);
    fake_contents_add(&contents, &job, &objects);
    const uint64_t thread =
        fake_target_add(job.target, MPILENS_TABLE_THREADS,
                        &(struct mpilens_thread){.state = MPILENS_THREAD_ALIVE, .index = 2, .entered = 1});
    fake_target_publish(job.target);

    open_debugger();
    mqs_update_communicator_list(fake_process(&debugger));
    for (int kind = MPILENS_OBJECT_NONE + 1; kind < MPILENS_OBJECT_ATTRIBUTE; kind++)
        handles[kind] = some_handle(kind);
    fake_debugger_close(&debugger);

    open_debugger();
    find(MPILENS_OBJECT_INFO, handles[MPILENS_OBJECT_INFO]); /* pays for what is constant */
    for (int kind = MPILENS_OBJECT_NONE + 1; kind < MPILENS_OBJECT_ATTRIBUTE; kind++)
        costs[kind] = find(kind, handles[kind]);
    mqs_update_communicator_list(fake_process(&debugger));
    printf("%-14s %10s %10s %10s\n", "kind", "find", "bytes", "again");
    for (int kind = MPILENS_OBJECT_NONE + 1; kind < MPILENS_OBJECT_ATTRIBUTE; kind++)
        printf("%-14s %10lu %10lu %10lu\n", mpilens_object_kind_name(kind), (unsigned long)costs[kind].reads,
               (unsigned long)costs[kind].bytes, (unsigned long)find(kind, handles[kind]).reads);
    fake_debugger_close(&debugger);

    fake_debugger_init(&debugger, job.target);
    set_up_mpidbg();
    fake_target_put_field(job.target, thread, MPILENS_FIELD_thread_entered, 2);
    const mqs_taddr_t communicator = (mqs_taddr_t)handles[MPILENS_OBJECT_COMMUNICATOR];
    const struct cost first = query(communicator);
    const struct cost again = query(communicator);
    printf("%-14s %10s %10s %10s %10s\n", "", "first", "bytes", "again", "bytes");
    printf("%-14s %10lu %10lu %10lu %10lu\n", "mpidbg, comm", (unsigned long)first.reads, (unsigned long)first.bytes,
           (unsigned long)again.reads, (unsigned long)again.bytes);
    bool fails = is_too_much("finding a communicator", costs[MPILENS_OBJECT_COMMUNICATOR]);
    fails = is_too_much("the first query of mpidbg", first) || fails;
    fails = is_too_much("a query of mpidbg", again) || fails;
    mpidbg_finalize_per_process(fake_process(&debugger), debugger.process_info);
    mpidbg_finalize_per_image(fake_image(&debugger), debugger.image_info);
    fake_target_destroy(job.target);
    return fails;
}
