/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The message queues of a process, by the interface that MPI libraries and debuggers share (mpilens/message_queue.h).
 *
 *     queues_debugger LIBRARY PID
 *     MPI_COMM_WORLD: rank 1 of 2
 *     receive from rank 0, tag 2, 4 bytes: pending
 *
 * As debuggers do, it loads LIBRARY at run time, so it works with any library of the interface that needs no types.
 * Names are printed as the application has given them; where they may be anybody's, escape them.
 */
#include "living_process.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define FUNCTIONS(F)                                                                                                   \
    F(mqs_setup_basic_callbacks)                                                                                       \
    F(mqs_version_compatibility)                                                                                       \
    F(mqs_dll_taddr_width)                                                                                             \
    F(mqs_dll_error_string)                                                                                            \
    F(mqs_setup_image)                                                                                                 \
    F(mqs_setup_process)                                                                                               \
    F(mqs_process_has_queues)                                                                                          \
    F(mqs_update_communicator_list)                                                                                    \
    F(mqs_setup_communicator_iterator)                                                                                 \
    F(mqs_get_communicator)                                                                                            \
    F(mqs_next_communicator)                                                                                           \
    F(mqs_setup_operation_iterator)                                                                                    \
    F(mqs_next_operation)                                                                                              \
    F(mqs_destroy_process_info)                                                                                        \
    F(mqs_destroy_image_info)

/* A member for each of them, under its name and of its type. */
#define MEMBER(function) __typeof__(function) *function;
static struct {
    FUNCTIONS(MEMBER)
} dll;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static void must_be_ok(int code, const char *what)
{
    if (code != mqs_ok)
        fail(what, dll.mqs_dll_error_string(code));
}

static void load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        fail(path, dlerror());
#define LOAD(function)                                                                                                 \
    *(void **)&dll.function = dlsym(library, #function);                                                               \
    if (dll.function == NULL)                                                                                          \
        fail(path, "it has no " #function);
    FUNCTIONS(LOAD)
    if (dll.mqs_version_compatibility() != MQS_INTERFACE_COMPATIBILITY ||
        (size_t)dll.mqs_dll_taddr_width() != sizeof(mqs_taddr_t))
        fail(path, "it is of another version of the interface");
}

static void print_queue(mqs_process *process, mqs_op_class queue, const char *what)
{
    static const char *const words[] = {"pending", "matched", "complete"};
    mqs_pending_operation operation;
    if (dll.mqs_setup_operation_iterator(process, queue) != mqs_ok)
        return; /* mqs_no_information: the library cannot tell */
    while (dll.mqs_next_operation(process, &operation) == mqs_ok) {
        printf("%s ", what);
        printf(operation.desired_global_rank < 0 ? "any rank" : "rank %ld", operation.desired_global_rank);
        printf(operation.tag_wild ? ", any tag" : ", tag %ld", operation.desired_tag);
        printf(", %ld bytes: %s\n", operation.desired_length, words[operation.status]);
        for (int i = 0; i < 5 && operation.extra_text[i][0] != '\0'; i++)
            printf("    %s\n", operation.extra_text[i]); /* the library's text for people */
    }
}

static void print_queues(mqs_process *process)
{
    mqs_communicator communicator;
    must_be_ok(dll.mqs_setup_communicator_iterator(process), "communicators");
    while (dll.mqs_get_communicator(process, &communicator) == mqs_ok) {
        printf("%s: rank %ld of %ld\n", communicator.name, communicator.local_rank, communicator.size);
        print_queue(process, mqs_pending_sends, "send to");
        print_queue(process, mqs_pending_receives, "receive from");
        print_queue(process, mqs_unexpected_messages, "unexpected from");
        if (dll.mqs_next_communicator(process) != mqs_ok)
            break;
    }
}

int main(int argument_count, char **arguments)
{
    struct mqs_process_ process;
    if (argument_count != 3) {
        fprintf(stderr, "usage: queues_debugger LIBRARY PID\n");
        return 2;
    }
    if (!living_process_open((pid_t)strtol(arguments[2], NULL, 10), &process)) {
        perror(arguments[2]);
        return 1;
    }
    load(arguments[1]);
    dll.mqs_setup_basic_callbacks(&living_basic_callbacks);
    must_be_ok(dll.mqs_setup_image(&process.image, &living_image_callbacks), "image");
    must_be_ok(dll.mqs_setup_process(&process, &living_process_callbacks), "process");
    must_be_ok(dll.mqs_process_has_queues(&process, &(char *){NULL}), "process");
    must_be_ok(dll.mqs_update_communicator_list(&process), "state"); /* takes a copy; all that follows is about that */
    print_queues(&process);
    dll.mqs_destroy_process_info(process.information);
    dll.mqs_destroy_image_info(process.image.information);
    return 0;
}
