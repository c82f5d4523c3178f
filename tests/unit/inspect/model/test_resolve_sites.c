/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The places of objects and failed calls.
 */
#include "base/base.h"
#include "child.h"
#include "model_builder.h"
#include "published.h"
#include "target/target.h"

#include <criterion/criterion.h>

static uint64_t open_child(struct process *process, const struct child *child)
{
    struct reason reason;
    struct published published;
    cr_assert_eq(target_open_process(child->pid, &process->target, &reason), 0, "%s", reason.text);
    published_expect(process->target, child->pid, &published);
    return published.return_address;
}

static void expect_published(const struct site *site, const char *what)
{
    cr_assert_not_null(site, "%s", what);
    cr_expect_eq(site->line, PUBLISH_LINE, "%s", what);
}

Test(resolve_sites, of_objects_and_failed_calls)
{
    struct child child = child_start(TARGET_PROGRAM);
    struct job job = build_job(1);
    struct process *process = &job.processes[0];
    const uint64_t address = open_child(process, &child);
    struct object *object = process->objects = allocate(sizeof *object);
    struct failed_call *failed = process->failed_calls = allocate(sizeof *failed);
    struct freed_object *freed = process->freed_objects = allocate(sizeof *freed);
    process->object_count = process->failed_call_count = process->freed_object_count = 1;
    *failed = (struct failed_call){.started_at_address = address};
    *freed = (struct freed_object){.last_site_address = address};
    *object = (struct object){.window = allocate(sizeof *object->window), .file = allocate(sizeof *object->file)};
    *object->window = (struct window){.synchronization_site_address = address};
    *object->file = (struct file){.split_collective_site_address = address};
    job_resolve_sites(&job);
    expect_published(failed->started_at, "started_at");
    expect_published(freed->last_site, "last_site");
    expect_published(object->window->synchronization_site, "synchronization_site");
    expect_published(object->file->split_collective_site, "split_collective_site");
    child_end(&child);
    job_clear(&job);
}
