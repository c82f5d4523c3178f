/* SPDX-License-Identifier: BSD-3-Clause
 *
 * libFuzzer harness: a fake target of the usual state, changed as the input says, is opened and asked everything that
 * the DLL can be asked. Aborts where an answer is one that no target may cause, where the target was read too often,
 * and where the DLL has lost memory.
 *
 * Input: two bytes of options, two bytes that say which read and which allocation fail (0: none), then changes
 * (corruption.h).
 */
#include "corruption.h"
#include "fake_contents.h"
#include "opened_job.h"
#include "walk.h"
#include "walk_handles.h"
#include "walk_mpid.h"
#include "walk_mpidbg.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    OPTION_BIG_ENDIAN = 0x1,
    OPTION_32_BITS = 0x2,
    OPTION_REVERSED = 0x4,
    OPTION_APPENDED = 0x8,
    OPTION_ONE_IN_A_CHUNK = 0x10,
    OPTION_FAIL_LATER_READS = 0x20,
    OPTION_FEW_OBJECTS = 0x40,
    OPTION_OF_POINTERS = 0x80, /* second byte: handles of eight bytes */
};

/* A walk through one interface at a time: memory that was lost belongs to it. */
enum { READ_LIMIT = 4000, HANDLE_READ_LIMIT = 400000, SOME_VALUES = 4, VALUES = 48, OF_EACH_KIND = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct opened_job opened;
static uint64_t values[VALUES];
static size_t value_count;

static void demand(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "wrong: %s\n", what);
    abort();
}

static void make_job(const uint8_t *data, size_t size)
{
    struct fake_objects objects;
    struct fake_contents contents;
    opened_job_create(&opened, &(struct fake_options){.big_endian = data[0] & OPTION_BIG_ENDIAN,
                                                      .word_size = data[0] & OPTION_32_BITS ? 4 : 8,
                                                      .reversed = data[0] & OPTION_REVERSED,
                                                      .appended_bytes = data[0] & OPTION_APPENDED ? 8 : 0,
                                                      .chunk_capacity = data[0] & OPTION_ONE_IN_A_CHUNK ? 1 : 4,
                                                      .memory_bytes = (size_t)1 << 18});
    value_count = 0;
    if (!(data[0] & OPTION_FEW_OBJECTS)) {
        fake_objects_add(&objects, &opened.job);
        fake_contents_add(&contents, &opened.job, &objects);
        values[value_count++] = contents.status;
    }
    if (data[1] & OPTION_OF_POINTERS)
        opened.job.target->process.handle_bytes = 8;
    fake_job_populate(&opened.job);
    corrupt(opened.job.target, data + 4, size - 4);
}

static void fail_as_told(const uint8_t *data)
{
    opened.debugger.fail_read = data[2] > 0 ? opened.debugger.reads + data[2] : 0;
    opened.debugger.fail_later_reads = data[0] & OPTION_FAIL_LATER_READS;
    opened.debugger.fail_allocation = data[3] > 0 ? fake_allocations() + data[3] : 0;
    opened.debugger.allocation_limit = (size_t)64 << 20;
}

static void add_value(uint64_t value)
{
    if (value_count < VALUES)
        values[value_count++] = value;
}

/* Handles of some objects of each kind, as the target has them now, and others. */
static void collect_values(void)
{
    struct mpilens_object_information object = {.struct_size = sizeof(object)};
    add_value(0x44000000);
    add_value(FAKE_COMM_NULL);
    add_value(FAKE_REQUEST_NULL);
    add_value(0x98000001);
    add_value(0);
    for (int kind = MPILENS_OBJECT_NONE + 1; kind < MPILENS_OBJECT_ATTRIBUTE; kind++) {
        if (mpilens_setup_object_iterator(opened.process, kind) != mqs_ok)
            continue;
        for (int n = 0; n < OF_EACH_KIND && mpilens_next_object(opened.process, &object) == mqs_ok; n++)
            add_value(object.handle);
    }
}

/* Every value as a handle of every kind. */
static void ask_about_handles(void)
{
    uint64_t wrong = 0;
    for (size_t i = 0; i < value_count; i++) {
        for (int kind = MPILENS_OBJECT_NONE + 1; kind < MPILENS_OBJECT_ATTRIBUTE; kind++)
            for (int language = MPILENS_HANDLE_C; language <= MPILENS_HANDLE_FORTRAN; language++) {
                struct mpilens_object_information object = {.struct_size = sizeof(object)};
                if (mpilens_find_object(opened.process, kind, (enum mpilens_handle_language)language, values[i],
                                        &object) != mqs_ok)
                    continue;
                wrong += object.kind != (uint32_t)kind;
                if (object.serial != 0)
                    wrong += walk_handle(opened.process, &object);
            }
        wrong += walk_request_handle(opened.process, values[i]) + walk_status(opened.process, values[i]);
    }
    demand(wrong == 0, "an answer about a handle");
}

/* Some of the values; those interfaces look at the process anew for each. */
static void ask_as_others(const uint8_t *data)
{
    mpid_process_handle_t *process = NULL;
    const size_t first = data[1] % value_count;
    const size_t count = value_count - first < SOME_VALUES ? value_count - first : SOME_VALUES;
    demand(walk_mpidbg(&opened.debugger, values + first, count).wrong == 0, "an answer of mpidbg");
    demand(fake_allocations_held() == 0, "memory of mpidbg is lost");
    fail_as_told(data);
    if (mpid_debugger_open(&opened.debugger, &process) == mpid_rc_ok) {
        demand(walk_mpid(process, values + first, count).wrong == 0, "an answer of mpid");
        mpid_debugger_close(process);
    }
    mpid_finalize();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4)
        return 0;
    make_job(data, size);
    fail_as_told(data);
    fake_debugger_open(&opened.debugger);
    const struct walk_result result = walk_everything(opened.process, 0);
    demand(result.wrong == 0, "an answer");
    demand(opened.debugger.reads < READ_LIMIT, "so many reads");
    collect_values();
    if (result.update == mqs_ok)
        ask_about_handles();
    demand(fake_debugger_close(&opened.debugger) == 0, "memory is lost");
    fail_as_told(data);
    ask_as_others(data);
    demand(opened.debugger.reads < HANDLE_READ_LIMIT, "so many reads of handles");
    demand(opened_job_close(&opened) == 0, "memory of mpid is lost");
    return 0;
}
