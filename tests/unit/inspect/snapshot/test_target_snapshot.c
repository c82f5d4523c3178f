/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Targets out of a snapshot: they answer what a living child has answered, and nothing else.
 */
#include "base/base.h"
#include "child.h"
#include "model_builder.h"
#include "published.h"
#include "saved_job.h"
#include "snapshot/snapshot_internal.h"
#include "stack/stack.h"
#include "target/target.h"
#include "variable/variable.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(target_snapshot, .init = saved_begin, .fini = saved_end);

/* Questions that the child and the snapshot must answer equally. */
static void expect_content(struct target *target, pid_t pid)
{
    struct published published;
    published_expect(target, pid, &published);
    cr_expect_eq(target_read(target, published.unmapped, &published, 1), EFAULT);
}

/* Saves a job of one process, a child that is gone afterwards. */
static pid_t save_child(void)
{
    struct child child = child_start(TARGET_PROGRAM);
    struct job job = build_job(1);
    struct process *process = &job.processes[0];
    const struct tick_clock clock = {.known = true, .now = 5e12, .ticks_per_ns = 2.5};
    cr_assert_eq(target_open_process(child.pid, &process->target, &saved_reason), 0, "%s", saved_reason.text);
    target_record(process->target);
    expect_content(process->target, child.pid);
    target_recording_set_clock(target_recording(process->target), &clock);
    saved_write(&job);
    child_end(&child);
    job_clear(&job);
    return child.pid;
}

static int read_images(struct job *ret_job)
{
    struct snapshot_file file;
    *ret_job = (struct job){0};
    struct snapshot_reader reader = {.file = &file, .job = ret_job};
    if (snapshot_file_open(saved_path, &file, &saved_reason) != 0)
        return -1;
    int result = snapshot_reader_begin(&reader);
    if (result == 0)
        result = snapshot_read_tables(&reader, false);
    if (result == 0)
        result = snapshot_read_images(&reader);
    snapshot_reader_clear(&reader);
    snapshot_file_close(&file);
    if (result != 0)
        job_clear(ret_job);
    return result;
}

Test(target_snapshot, answers_what_was_asked)
{
    struct job job;
    const pid_t pid = save_child();
    cr_assert_eq(read_images(&job), 0, "%s", saved_reason.text);
    struct target *target = job.processes[0].target;
    cr_assert_not_null(target);
    expect_content(target, pid);
    cr_expect_not(target_is_live(target));
    cr_expect_null(target_core_path(target));
    const struct tick_clock *clock = target_snapshot_clock(target);
    cr_assert_not_null(clock);
    cr_expect(clock->known && clock->now == 5e12 && clock->ticks_per_ns == 2.5);
    job_clear(&job);
}

Test(target_snapshot, knows_nothing_else)
{
    struct job job;
    struct program_variable variable;
    struct target_place place;
    struct stacks stacks;
    uint64_t address;
    char byte;
    save_child();
    cr_assert_eq(read_images(&job), 0, "%s", saved_reason.text);
    struct target *target = job.processes[0].target;
    cr_assert(target_find_symbol(target, "mpilens_test_published", &address));
    cr_expect_eq(target_read(target, address, &byte, 1), 0);
    cr_expect_eq(target_read(target, address + sizeof(struct published), &byte, 1), EFAULT);
    cr_expect_eq(target_read(target, address - 1, &byte, 1), EFAULT);
    cr_expect_eq(target_read(target, UINT64_MAX, &byte, 1), EFAULT);
    cr_expect_not(target_find_symbol(target, "mpilens_test_constant", &address));
    cr_expect_not(target_find_module(target, address, &place));
    cr_expect_eq(program_variable_find(target, "mpilens_test_published", false, &variable, &saved_reason), -1);
    cr_expect_not_null(strstr(saved_reason.text, "snapshot"), "%s", saved_reason.text);
    saved_reason.text[0] = '\0';
    cr_expect_eq(stacks_read(target, &job.sites, &stacks, &saved_reason), -1);
    cr_expect_not_null(strstr(saved_reason.text, "snapshot"), "%s", saved_reason.text);
    job_clear(&job);
}

Test(target_snapshot, images_that_make_no_sense)
{
    static const char *const changes[] = {
        "DELETE FROM image",
        "INSERT INTO image SELECT 2, process, pid, pointer_bytes, other_byte_order, executable, clock_known, "
        "clock_now, "
        "clock_ticks_per_ns FROM image",
        "UPDATE image SET process = 2",
        "UPDATE image SET pointer_bytes = 3",
        "UPDATE image SET clock_ticks_per_ns = -1.0",
        "UPDATE memory SET process = 0 WHERE row = 1",
        "UPDATE memory SET bytes = 0 WHERE row = 1",
        "UPDATE memory SET bytes = -1 WHERE row = 1",
        "UPDATE memory SET bytes = 1 << 40 WHERE row = 1",
        "UPDATE memory SET address = -1 WHERE row = 1",
        "UPDATE memory SET content = NULL WHERE row = 1",
        "UPDATE memory SET content = 'text' WHERE row = 1",
        ("INSERT INTO memory SELECT (SELECT count(*) FROM memory) + 1, process, address + 1, bytes, content "
         "FROM memory WHERE row = 1"),
        "UPDATE symbol SET name = 99999",
    };
    struct job job;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        save_child();
        saved_change(changes[i]);
        if (read_images(&job) == 0) {
            job_clear(&job);
            cr_expect_fail("read all the same: %s", changes[i]);
        }
        cr_expect_not_null(strstr(saved_reason.text, "damaged"), "%s: %s", changes[i], saved_reason.text);
    }
}

/* Found out when it is read. */
Test(target_snapshot, memory_that_cannot_be_unpacked)
{
    static const char *const changes[] = {"UPDATE memory SET content = x'00010203'",
                                          "UPDATE memory SET content = substr(content, 1, length(content) - 1)",
                                          "UPDATE memory SET bytes = bytes - 1", "UPDATE memory SET bytes = bytes + 1"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct job job;
        uint64_t address;
        char byte;
        save_child();
        saved_change(changes[i]);
        cr_assert_eq(read_images(&job), 0, "%s", saved_reason.text);
        cr_assert(target_find_symbol(job.processes[0].target, "mpilens_test_published", &address));
        cr_expect_eq(target_read(job.processes[0].target, address, &byte, 1), EFAULT, "%s", changes[i]);
        job_clear(&job);
    }
}

/* --- recordings --- */

enum { MOST = 5 << 20 };

static uint8_t *expected; /* content + 1, 0: not known */
static uint64_t last;
static size_t largest;

static int check_range(void *context, uint64_t address, const void *bytes, size_t count)
{
    const uint64_t base = *(const uint64_t *)context;
    cr_assert(address >= base && address - base + count <= MOST && address >= last);
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(expected[address - base + i], ((const uint8_t *)bytes)[i] + 1);
        expected[address - base + i] = 0;
    }
    last = address + count;
    largest = count > largest ? count : largest;
    return 0;
}

Test(target_snapshot, recordings_keep_what_was_read_last)
{
    uint64_t base = UINT64_C(0xfffffffff0000ffd), random = 7;
    struct target_recording *recording = target_recording_create();
    uint8_t *bytes = allocate(MOST);
    expected = allocate(MOST);
    for (int i = 0; i < 300; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const size_t limit = i % 10 == 0 ? MOST / 2 : 5000;
        const size_t count = (random >> 20) % limit;
        const size_t place = (random >> 40) % (MOST - count);
        memset(bytes, i % 255, count);
        target_recording_add_memory(recording, base + place, bytes, count);
        memset(expected + place, i % 255 + 1, count);
    }
    cr_expect_eq(target_recording_for_each_range(recording, check_range, &base), 0);
    for (size_t i = 0; i < MOST; i++)
        cr_assert_eq(expected[i], 0, "byte %zu is lost", i);
    cr_expect_gt(largest, TARGET_RECORDING_RANGE - 4096);
    cr_expect_leq(largest, TARGET_RECORDING_RANGE);
    target_recording_destroy(recording);
    free(bytes);
    free(expected);
}
