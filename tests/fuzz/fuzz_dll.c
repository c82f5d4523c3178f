/* SPDX-License-Identifier: BSD-3-Clause
 *
 * libFuzzer harness: an image of the usual state, changed as the input says, is opened and asked everything that the
 * DLL can be asked. Aborts where an answer is one that no target may cause, where the target was read too often, and
 * where the DLL has lost memory.
 *
 * Input: a byte of options (image.h, and OPTION_FAIL_LATER_READS), one that chooses the handles that are asked about,
 * two that say which read and which allocation fail (0: none), then changes (corruption.h).
 */
#include "fuzz_dll.h"

#include "corruption.h"
#include "image.h"
#include "target/target.h"
#include "walk.h"
#include "walk_handles.h"
#include "walk_mpid.h"
#include "walk_mpidbg.h"
#include "walk_process.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    OPTION_FAIL_LATER_READS = 0x20,
    COPIES = LOADS_ARE_ORDERED ? 1 : 4, /* in how many one memory is fetched at most */
    READ_LIMIT = 4000 * COPIES,
    HANDLE_READ_LIMIT = 20000 * COPIES,
    ONE_IN_MUCH_MEMORY = 64
};

/* The most memory that an image of this size needs, and an amount that shows that more is refused. */
static const size_t little_memory = (size_t)1 << 20;
static const size_t much_memory = (size_t)64 << 20;

static struct fuzz_totals totals;

static void demand(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "wrong: %s\n", what);
    abort();
}

static void fail_as_told(struct fake_debugger *debugger, const uint8_t *data)
{
    debugger->fail_read = data[2] > 0 ? debugger->reads + data[2] : 0;
    debugger->fail_later_reads = data[0] & OPTION_FAIL_LATER_READS;
    debugger->fail_allocation = data[3] > 0 ? fake_allocations() + data[3] : 0;
    debugger->allocation_limit = data[1] % ONE_IN_MUCH_MEMORY == 0 ? much_memory : little_memory;
}

/* The value as a handle of this kind in both languages. */
static uint64_t ask_about_handle(mqs_process *process, int kind, uint64_t value)
{
    uint64_t wrong = 0;
    for (int language = MPILENS_HANDLE_C; language <= MPILENS_HANDLE_FORTRAN; language++) {
        struct mpilens_object_information object = {.struct_size = sizeof object};
        if (mpilens_find_object(process, kind, (enum mpilens_handle_language)language, value, &object) != mqs_ok)
            continue;
        wrong += object.kind != (uint32_t)kind;
        if (object.serial != 0)
            wrong += walk_handle(process, &object);
    }
    return wrong;
}

static void ask_about_handles(mqs_process *process, const uint64_t *values)
{
    uint64_t wrong = 0;
    for (int kind = MPILENS_OBJECT_NONE + 1; kind < MPILENS_OBJECT_ATTRIBUTE; kind++)
        wrong += ask_about_handle(process, kind, values[kind]);
    wrong += walk_request_handle(process, values[MPILENS_OBJECT_REQUEST]);
    wrong += walk_status(process, values[MPILENS_OBJECT_STATUS]);
    demand(wrong == 0, "an answer about a handle");
}

/* Before there is a copy, the DLL takes only the tables that the answer needs. */
static void ask_without_copy(mqs_process *process, const uint64_t *values, unsigned choice)
{
    const int kind = MPILENS_OBJECT_NONE + 1 + (int)(choice % (MPILENS_OBJECT_ATTRIBUTE - 1));
    demand(walk_process(process) == 0, "an answer about the process");
    demand(ask_about_handle(process, kind, values[kind]) == 0, "an answer about the only handle");
}

/* Those interfaces look at the process anew for each value. */
static void ask_as_others(struct fake_debugger *debugger, const uint64_t *values, const uint8_t *data)
{
    mpid_process_handle_t *process = NULL;
    fail_as_told(debugger, data);
    const struct walk_mpidbg_result result = walk_mpidbg(debugger, values, values[MPILENS_OBJECT_STATUS]);
    demand(result.wrong == 0, "an answer of mpidbg");
    demand(fake_allocations_held() == 0, "memory of mpidbg is lost");
    totals.answers += result.found;
    fail_as_told(debugger, data);
    if (mpid_debugger_open(debugger, &process) == mpid_rc_ok) {
        const struct walk_mpid_result other = walk_mpid_kinds(process, values, data[1] * 0x9du);
        demand(other.wrong == 0, "an answer of mpid");
        totals.answers += other.answers;
        mpid_debugger_close(process);
    }
    mpid_finalize();
    demand(fake_allocations_held() == 0, "memory of mpid is lost");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4)
        return 0;
    struct image *image = image_get(data[0]);
    struct fake_debugger *debugger = &image->opened.debugger;
    mqs_process *process = image->opened.process;
    uint64_t values[IMAGE_KINDS];
    for (int kind = 0; kind < IMAGE_KINDS; kind++)
        values[kind] = image_value(image, kind, data[1]);
    corrupt(image->opened.job.target, data + 4, size - 4);
    fail_as_told(debugger, data);
    fake_debugger_open(debugger);
    ask_without_copy(process, values, data[1]);
    const struct walk_result result = walk_everything(process, 0);
    demand(result.wrong == 0, "an answer");
    if (result.update == mqs_ok)
        ask_about_handles(process, values);
    demand(debugger->reads < READ_LIMIT, "so many reads");
    demand(fake_debugger_close(debugger) == 0, "memory is lost");
    ask_as_others(debugger, values, data);
    demand(debugger->reads < HANDLE_READ_LIMIT, "so many reads of handles");
    totals.inputs++;
    totals.copied += result.update == mqs_ok;
    return 0;
}

struct fuzz_totals fuzz_totals(void)
{
    return totals;
}
