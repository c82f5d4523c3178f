/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints the waits of a process of an MPI job, by the extension of mpilens (mpilens/extension.h).
 *
 *     extension_debugger PID
 *     rank 1 of 2, MPI_Recv: receive from rank 0, tag 2, MPI_COMM_WORLD
 *
 * It is linked with libmpilens_dll.so. Names are printed as the application has given them; where they may be
 * anybody's, escape them.
 */
#include "living_process.h"

#include <inttypes.h>
#include <mpilens/extension.h>
#include <mpilens/layout.h> /* the flags and enums that the extension refers to */
#include <stdio.h>
#include <stdlib.h>

enum { MOST_OPERATIONS = 64 }; /* of one call, that are printed */

/* The library gives codes and has a sentence for each. */
static void must_be_ok(int code, const char *what)
{
    if (code == mqs_ok)
        return;
    fprintf(stderr, "%s: %s\n", what, mqs_dll_error_string(code));
    exit(1);
}

/* Whether the queue of this communicator has the operation; it is printed then. */
static bool print_if_in_queue(mqs_process *process, int queue, uint64_t serial, const char *communicator)
{
    mqs_pending_operation pending; /* less than the extension says of it */
    struct mpilens_operation_information operation = {.struct_size = sizeof operation};
    if (mqs_setup_operation_iterator(process, queue) != mqs_ok)
        return false;
    while (mqs_next_operation(process, &pending) == mqs_ok) {
        if (mpilens_get_operation(process, &operation) != mqs_ok || operation.serial != serial)
            continue;
        const bool is_send = (operation.flags & MPILENS_OPERATION_SEND) != 0;
        printf("%s ", is_send ? "send to" : "receive from");
        printf(operation.peer_world < 0 ? "any rank" : "rank %d", operation.peer_world);
        printf(operation.tag_wild ? ", any tag" : ", tag %d", operation.tag);
        printf(", %s\n", communicator);
        return true;
    }
    return false;
}

static void print_operation(mqs_process *process, uint64_t serial)
{
    mqs_communicator communicator;
    must_be_ok(mqs_setup_communicator_iterator(process), "communicators");
    while (mqs_get_communicator(process, &communicator) == mqs_ok) {
        if (print_if_in_queue(process, mqs_pending_sends, serial, communicator.name) ||
            print_if_in_queue(process, mqs_pending_receives, serial, communicator.name))
            return;
        if (mqs_next_communicator(process) != mqs_ok)
            break;
    }
    printf("operation %" PRIu64 ", which is neither send nor receive\n", serial);
}

static void print_threads(mqs_process *process)
{
    struct mpilens_process_information rank = {.struct_size = sizeof rank};
    struct mpilens_thread_information thread = {.struct_size = sizeof thread};
    must_be_ok(mpilens_get_process(process, &rank), "process");
    for (int code = mpilens_setup_thread_iterator(process); code == mqs_ok;) {
        uint64_t serials[MOST_OPERATIONS];
        size_t count = 0;
        code = mpilens_next_thread(process, &thread);
        if (code != mqs_ok || thread.function[0] == '\0') /* the end, or a thread that is not in MPI */
            continue;
        must_be_ok(mpilens_get_waiting(process, serials, MOST_OPERATIONS, &count), thread.function);
        if (count == 0)
            printf("rank %d of %d, %s\n", rank.world_rank, rank.world_size, thread.function);
        for (size_t i = 0; i < count; i++) {
            printf("rank %d of %d, %s: ", rank.world_rank, rank.world_size, thread.function);
            print_operation(process, serials[i]);
        }
    }
}

int main(int argument_count, char **arguments)
{
    struct mqs_process_ process;
    if (argument_count != 2) {
        fprintf(stderr, "usage: extension_debugger PID\n");
        return 2;
    }
    if (!living_process_open((pid_t)strtol(arguments[1], NULL, 10), &process)) {
        perror(arguments[1]);
        return 1;
    }
    mqs_setup_basic_callbacks(&living_basic_callbacks);
    must_be_ok(mqs_setup_image(&process.image, &living_image_callbacks), "image");
    must_be_ok(mqs_setup_process(&process, &living_process_callbacks), "process");
    must_be_ok(mqs_process_has_queues(&process, NULL), "process");
    must_be_ok(mqs_update_communicator_list(&process), "state"); /* takes a copy; all that follows is about that */
    print_threads(&process);
    mqs_destroy_process_info(process.information);
    mqs_destroy_image_info(process.image.information);
    return 0;
}
