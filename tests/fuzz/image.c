/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes targets of the usual state and keeps a copy of their bytes.
 */
#include "image.h"

#include "fake_contents.h"

#include <stdlib.h>
#include <string.h>

enum {
    OPTIONS = IMAGE_BIG_ENDIAN | IMAGE_32_BITS | IMAGE_REVERSED | IMAGE_APPENDED | IMAGE_ONE_IN_A_CHUNK |
              IMAGE_FEW_OBJECTS | IMAGE_OF_POINTERS,
    MEMORY_BYTES = 1 << 18,
    ONE_IN = 8, /* one in this many values names nothing of the kind */
};

static void add_value(struct image *image, int kind, uint64_t value)
{
    struct image_values *values = &image->kinds[kind];
    if (values->count < IMAGE_OF_EACH_KIND)
        values->values[values->count++] = value;
}

static void collect_values(struct image *image)
{
    mqs_process *process = image->opened.process;
    struct mpilens_object_information object = {.struct_size = sizeof object};
    struct mpilens_operation_information request = {.struct_size = sizeof request};
    if (fake_debugger_open(&image->opened.debugger) != mqs_ok || mqs_update_communicator_list(process) != mqs_ok)
        abort();
    for (int kind = MPILENS_OBJECT_NONE + 1; kind < MPILENS_OBJECT_ATTRIBUTE; kind++) {
        if (mpilens_setup_object_iterator(process, kind) != mqs_ok)
            abort();
        while (mpilens_next_object(process, &object) == mqs_ok)
            add_value(image, kind, object.handle);
    }
    if (mpilens_setup_request_iterator(process) != mqs_ok)
        abort();
    while (mpilens_next_request(process, &request) == mqs_ok)
        add_value(image, MPILENS_OBJECT_REQUEST, request.request);
    if (fake_debugger_close(&image->opened.debugger) != 0)
        abort();
}

static struct image *make_image(unsigned options)
{
    struct fake_objects objects;
    struct fake_contents contents;
    struct image *image = calloc(1, sizeof *image);
    if (image == NULL)
        abort();
    struct fake_job *job = &image->opened.job;
    opened_job_create(&image->opened, &(struct fake_options){.big_endian = options & IMAGE_BIG_ENDIAN,
                                                             .word_size = options & IMAGE_32_BITS ? 4 : 8,
                                                             .reversed = options & IMAGE_REVERSED,
                                                             .appended_bytes = options & IMAGE_APPENDED ? 8 : 0,
                                                             .chunk_capacity = options & IMAGE_ONE_IN_A_CHUNK ? 1 : 4,
                                                             .memory_bytes = MEMORY_BYTES});
    if (!(options & IMAGE_FEW_OBJECTS)) {
        fake_objects_add(&objects, job);
        fake_contents_add(&contents, job, &objects);
        add_value(image, MPILENS_OBJECT_STATUS, contents.status);
    }
    if (options & IMAGE_OF_POINTERS)
        job->target->process.handle_bytes = 8;
    fake_job_populate(job);
    collect_values(image);
    image->bytes = malloc(job->target->used);
    if (image->bytes == NULL)
        abort();
    memcpy(image->bytes, job->target->memory, job->target->used);
    return image;
}

struct image *image_get(unsigned options)
{
    static struct image *images[OPTIONS + 1];
    options &= OPTIONS;
    if (images[options] == NULL)
        images[options] = make_image(options);
    struct image *image = images[options];
    struct fake_target *target = image->opened.job.target;
    memcpy(target->memory, image->bytes, target->used);
    fake_debugger_init(&image->opened.debugger, target);
    return image;
}

uint64_t image_value(const struct image *image, int kind, unsigned choice)
{
    static const uint64_t others[] = {
        0x44000000, FAKE_COMM_NULL,        FAKE_DATATYPE_NULL, FAKE_REQUEST_NULL, 0x98000001,
        0,          FAKE_FORTRAN_BASE + 3, UINT64_MAX};
    const struct image_values *values = &image->kinds[kind];
    const unsigned number = choice / ONE_IN;
    if (values->count == 0 || (choice + (unsigned)kind) % ONE_IN == 0)
        return others[(number + (unsigned)kind) % (sizeof others / sizeof others[0])];
    return values->values[number % values->count];
}
