/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The walk, and what is wrong about answers whatever the target holds.
 */
#include "walk.h"

#include "walk_handles.h"

#include <stdlib.h>
#include <string.h>

enum { GROUP_LIMIT = 1 << 16, WAITING_LIMIT = 64 };

struct walker {
    mqs_process *process;
    int world_size;
    struct walk_result result;
};

static void expect(struct walker *walker, int condition)
{
    if (!condition)
        walker->result.wrong++;
}

static void expect_text(struct walker *walker, const char *text, size_t bytes)
{
    expect(walker, memchr(text, '\0', bytes) != NULL);
}

#define EXPECT_TEXT(walker, array) expect_text(walker, array, sizeof(array))

/* One more item, or the end; any other code is wrong. */
static int goes_on(struct walker *walker, int code)
{
    expect(walker, code == mqs_ok || code == mqs_end_of_list);
    if (code == mqs_ok)
        walker->result.items++;
    return code == mqs_ok;
}

static void expect_rank(struct walker *walker, long rank)
{
    expect(walker, rank >= -1 && (walker->world_size == 0 || rank < walker->world_size));
}

static void look_at_pending(struct walker *walker, const mqs_pending_operation *operation)
{
    expect(walker, operation->status >= mqs_st_pending && operation->status <= mqs_st_complete);
    expect(walker, operation->desired_length >= -1 && operation->actual_length >= -1);
    expect_rank(walker, operation->desired_global_rank);
    expect_rank(walker, operation->actual_global_rank);
    for (int line = 0; line < 5; line++)
        EXPECT_TEXT(walker, operation->extra_text[line]);
    expect(walker, operation->extra_text[0][0] != '\0');
    expect(walker, operation->extra_text[4][0] == '\0');
}

static void look_at_operation(struct walker *walker, const struct mpilens_operation_information *operation)
{
    EXPECT_TEXT(walker, operation->function);
    EXPECT_TEXT(walker, operation->datatype);
    expect_rank(walker, operation->peer_world);
    expect_rank(walker, operation->actual_world);
    expect(walker, operation->bytes >= -1 && operation->count >= -1 && operation->actual_bytes >= -1);
}

static void walk_partitions(struct walker *walker, uint64_t serial)
{
    struct mpilens_partition_run runs[3] = {{0}};
    size_t count = 0;
    const int code = mpilens_get_partitions(walker->process, serial, runs, 3, &count);
    for (size_t i = 0; code == mqs_ok && i + 1 < count && i + 1 < 3; i++)
        expect(walker, runs[i].first + runs[i].count == runs[i + 1].first && runs[i].marked != runs[i + 1].marked);
}

static void walk_operations(struct walker *walker)
{
    for (int op_class = mqs_pending_sends; op_class <= mqs_pending_receives; op_class++) {
        expect(walker, mqs_setup_operation_iterator(walker->process, op_class) == mqs_ok);
        mqs_pending_operation pending;
        while (goes_on(walker, mqs_next_operation(walker->process, &pending))) {
            struct mpilens_operation_information operation = {.struct_size = sizeof operation};
            look_at_pending(walker, &pending);
            expect(walker, mpilens_get_operation(walker->process, &operation) == mqs_ok);
            look_at_operation(walker, &operation);
            walk_partitions(walker, operation.serial);
            walker->result.operations++;
        }
    }
    struct mpilens_operation_information operation = {.struct_size = sizeof operation};
    expect(walker, mpilens_setup_completed_iterator(walker->process) == mqs_ok);
    while (goes_on(walker, mpilens_next_completed(walker->process, &operation))) {
        look_at_operation(walker, &operation);
        walker->result.completed++;
    }
}

/* They are worked out when they are asked for, which takes memory. */
static void walk_unexpected(struct walker *walker)
{
    const int code = mqs_setup_operation_iterator(walker->process, mqs_unexpected_messages);
    expect(walker, code == mqs_ok || code == mqs_no_information || code == MPILENS_ERROR_NO_MEMORY);
    mqs_pending_operation pending;
    while (code == mqs_ok && goes_on(walker, mqs_next_operation(walker->process, &pending))) {
        struct mpilens_unexpected_information message = {.struct_size = sizeof message};
        look_at_pending(walker, &pending);
        expect(walker, mpilens_get_unexpected(walker->process, &message) == mqs_ok);
        EXPECT_TEXT(walker, message.function);
        EXPECT_TEXT(walker, message.datatype);
        expect_rank(walker, message.peer_world);
    }
}

static void walk_collectives(struct walker *walker)
{
    for (int class = 0; class < 40; class ++) {
        struct mpilens_collective_class_information information = {.struct_size = sizeof information};
        int code = mpilens_get_collective_class(walker->process, class, &information);
        expect(walker, code == mqs_ok || code == mqs_no_information || code == mqs_end_of_list);
        int count;
        int active;
        code = mqs_get_comm_coll_state(walker->process, class, &count, &active);
        expect(walker, code == mqs_no_information || (code == mqs_ok && count >= 0 && active >= 0));
    }
    int code = mpilens_setup_collective_iterator(walker->process);
    expect(walker, code == mqs_ok || code == mqs_no_information);
    struct mpilens_collective_information collective = {.struct_size = sizeof collective};
    while (goes_on(walker, mpilens_next_collective(walker->process, &collective))) {
        EXPECT_TEXT(walker, collective.function);
        EXPECT_TEXT(walker, collective.datatype);
        EXPECT_TEXT(walker, collective.arguments);
        expect(walker, collective.bytes >= -1);
        struct mpilens_collective_mark_information marks[4] = {{.struct_size = sizeof marks[0]}};
        size_t count = 0;
        if (mpilens_get_collective_marks(walker->process, marks, 4, &count) == mqs_ok)
            for (size_t i = 0; i < count; i++)
                EXPECT_TEXT(walker, marks[i].function);
        int64_t amounts[4] = {0};
        for (int is_expected = 0; is_expected < 2; is_expected++)
            if (mpilens_get_collective_amounts(walker->process, is_expected, 0, 4, amounts) == mqs_ok)
                for (size_t i = 0; i < 4; i++)
                    expect(walker, amounts[i] >= -1);
    }
}

static void walk_traffic(struct walker *walker)
{
    struct mpilens_channel_information channel = {.struct_size = sizeof channel};
    expect(walker, mpilens_setup_channel_iterator(walker->process) == mqs_ok);
    while (goes_on(walker, mpilens_next_channel(walker->process, &channel)))
        expect_rank(walker, channel.peer_world);
    struct mpilens_message_information message = {.struct_size = sizeof message};
    expect(walker, mpilens_setup_message_iterator(walker->process) == mqs_ok);
    while (goes_on(walker, mpilens_next_message(walker->process, &message)))
        EXPECT_TEXT(walker, message.function);
}

static void walk_group(struct walker *walker, int (*list)(mqs_process *, int *), long size)
{
    if (size < 0 || size > GROUP_LIMIT)
        return;
    int *ranks = malloc(((size_t)size + 1) * sizeof *ranks);
    if (ranks == NULL)
        abort();
    ranks[size] = 4242;
    if (list(walker->process, ranks) == mqs_ok)
        for (long i = 0; i < size; i++)
            expect_rank(walker, ranks[i]);
    expect(walker, ranks[size] == 4242);
    free(ranks);
}

static void walk_communicator(struct walker *walker)
{
    mqs_communicator communicator;
    struct mpilens_communicator_information information = {.struct_size = sizeof information};
    expect(walker, mqs_get_communicator(walker->process, &communicator) == mqs_ok);
    EXPECT_TEXT(walker, communicator.name);
    expect(walker, communicator.name[0] != '\0');
    expect(walker, mpilens_get_communicator(walker->process, &information) == mqs_ok);
    EXPECT_TEXT(walker, information.name);
    EXPECT_TEXT(walker, information.parent_name);
    EXPECT_TEXT(walker, information.function);
    walk_group(walker, mqs_get_comm_group, communicator.size);
    walk_group(walker, mpilens_get_comm_remote_group, information.remote_size);
    walk_unexpected(walker);
    walk_operations(walker);
    walk_collectives(walker);
    walk_traffic(walker);
    walker->result.communicators++;
}

/* Walks the waits of the current thread or poll. */
static void walk_waiting(struct walker *walker, size_t said)
{
    uint64_t serials[WAITING_LIMIT];
    size_t count = 0;
    int code = mpilens_get_waiting(walker->process, serials, WAITING_LIMIT, &count);
    expect(walker, code == mqs_ok || (code >= mqs_first_user_code && count == 0));
    expect(walker, count <= WAITING_LIMIT && count <= said);
}

static void walk_polls(struct walker *walker)
{
    struct mpilens_thread_information poll = {.struct_size = sizeof poll};
    while (goes_on(walker, mpilens_next_poll(walker->process, &poll))) {
        EXPECT_TEXT(walker, poll.function);
        expect_rank(walker, poll.peer_world);
        walk_waiting(walker, poll.waiting_count);
        expect(walker, poll.polling);
    }
}

static void walk_failed_calls(struct walker *walker)
{
    struct mpilens_failed_call_information calls[4] = {{.struct_size = sizeof calls[0]}};
    size_t count = 0;
    expect(walker, mpilens_get_failed_calls(walker->process, calls, 4, &count) == mqs_ok && count <= 4);
    for (size_t i = 0; i < count; i++) {
        EXPECT_TEXT(walker, calls[i].function);
        EXPECT_TEXT(walker, calls[i].started_by);
        EXPECT_TEXT(walker, calls[i].error_class);
        EXPECT_TEXT(walker, calls[i].datatype);
        EXPECT_TEXT(walker, calls[i].text);
        expect_rank(walker, calls[i].peer_world);
    }
}

static void walk_threads(struct walker *walker)
{
    walk_failed_calls(walker);
    int code = mpilens_setup_thread_iterator(walker->process);
    expect(walker, code == mqs_ok || code == mqs_end_of_list);
    struct mpilens_thread_information thread = {.struct_size = sizeof thread};
    while (goes_on(walker, mpilens_next_thread(walker->process, &thread))) {
        EXPECT_TEXT(walker, thread.function);
        expect_rank(walker, thread.peer_world);
        walk_waiting(walker, thread.waiting_count);
        walk_polls(walker);
        walker->result.threads++;
    }
}

static void walk_freed_objects(struct walker *walker)
{
    struct mpilens_freed_object_information freed[4] = {{.struct_size = sizeof freed[0]}};
    size_t count = 0;
    if (mpilens_get_freed_objects(walker->process, freed, 4, &count) != mqs_ok)
        return;
    expect(walker, count <= 4);
    for (size_t i = 0; i < count; i++) {
        EXPECT_TEXT(walker, freed[i].function);
        EXPECT_TEXT(walker, freed[i].last_function);
    }
}

static void walk_requests(struct walker *walker)
{
    struct mpilens_operation_information request = {.struct_size = sizeof request};
    expect(walker, mpilens_setup_request_iterator(walker->process) == mqs_ok);
    while (goes_on(walker, mpilens_next_request(walker->process, &request))) {
        EXPECT_TEXT(walker, request.function);
        EXPECT_TEXT(walker, request.datatype);
        expect_rank(walker, request.peer_world);
        expect(walker, request.bytes >= -1 && request.count >= -1 && request.offset >= -1);
        expect(walker, request.operation_class != 0 && request.object_kind < MPILENS_OBJECT_KIND_COUNT);
        expect(walker, request.active || request.persistent);
        walker->result.wrong += walk_request_handle(walker->process, request.request);
        walker->result.wrong += walk_status(walker->process, request.buffer);
        walker->result.requests++;
    }
}

static int list_access_group(mqs_process *process, int *ret_ranks)
{
    return mpilens_get_window_group(process, 0, ret_ranks);
}

static int list_exposure_group(mqs_process *process, int *ret_ranks)
{
    return mpilens_get_window_group(process, 1, ret_ranks);
}

static void walk_window(struct walker *walker)
{
    struct mpilens_window_information window = {.struct_size = sizeof window};
    struct mpilens_window_lock_information locks[8] = {{.struct_size = sizeof locks[0]}};
    size_t count = 0;
    if (mpilens_get_window(walker->process, &window) != mqs_ok)
        return;
    EXPECT_TEXT(walker, window.synchronization);
    walk_group(walker, list_access_group, window.access_group_size);
    walk_group(walker, list_exposure_group, window.exposure_group_size);
    if (mpilens_get_window_locks(walker->process, locks, 8, &count) == mqs_ok)
        expect(walker, count <= 8 && count <= window.lock_count);
    for (size_t i = 0; i < count; i++)
        expect_rank(walker, locks[i].target_world);
}

/* Asks for the details of the delivered object, and for details of other kinds. */
static void walk_details(struct walker *walker, int kind)
{
    struct mpilens_file_information file = {.struct_size = sizeof file};
    struct mpilens_op_information op = {.struct_size = sizeof op};
    struct mpilens_errhandler_information errhandler = {.struct_size = sizeof errhandler};
    struct mpilens_keyval_information keyval = {.struct_size = sizeof keyval};
    struct mpilens_attribute_information attribute = {.struct_size = sizeof attribute};
    struct mpilens_session_information session = {.struct_size = sizeof session};
    struct mpilens_datatype_information datatype = {.struct_size = sizeof datatype};
    struct mpilens_group_information group = {.struct_size = sizeof group};
    struct mpilens_window_information window = {.struct_size = sizeof window};
    const struct {
        int kind;
        int code;
    } answers[] = {
        {MPILENS_OBJECT_WINDOW, mpilens_get_window(walker->process, &window)},
        {MPILENS_OBJECT_FILE, mpilens_get_file(walker->process, &file)},
        {MPILENS_OBJECT_OP, mpilens_get_op(walker->process, &op)},
        {MPILENS_OBJECT_ERRHANDLER, mpilens_get_errhandler(walker->process, &errhandler)},
        {MPILENS_OBJECT_KEYVAL, mpilens_get_keyval(walker->process, &keyval)},
        {MPILENS_OBJECT_ATTRIBUTE, mpilens_get_attribute(walker->process, &attribute)},
        {MPILENS_OBJECT_SESSION, mpilens_get_session(walker->process, &session)},
        {MPILENS_OBJECT_DATATYPE, mpilens_get_datatype(walker->process, &datatype)},
        {MPILENS_OBJECT_GROUP, mpilens_get_group(walker->process, &group)},
    };
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++)
        expect(walker, answers[i].code == (answers[i].kind == kind ? mqs_ok : MPILENS_ERROR_NO_CURRENT));
    const int has_order = kind == MPILENS_OBJECT_WINDOW || kind == MPILENS_OBJECT_FILE;
    struct mpilens_collective_information call = {.struct_size = sizeof call};
    expect(walker, mpilens_setup_object_collective_iterator(walker->process) ==
                       (has_order ? mqs_ok : MPILENS_ERROR_NO_CURRENT));
    while (has_order && goes_on(walker, mpilens_next_object_collective(walker->process, &call)))
        EXPECT_TEXT(walker, call.function);
    if (kind == MPILENS_OBJECT_FILE) {
        EXPECT_TEXT(walker, file.view_etype);
        EXPECT_TEXT(walker, file.view_filetype);
        EXPECT_TEXT(walker, file.view_representation);
        EXPECT_TEXT(walker, file.split_collective);
    }
}

static void walk_objects(struct walker *walker)
{
    for (int kind = MPILENS_OBJECT_NONE + 1; kind < MPILENS_OBJECT_KIND_COUNT; kind++) {
        struct mpilens_object_information object = {.struct_size = sizeof object};
        expect(walker, mpilens_setup_object_iterator(walker->process, kind) == mqs_ok);
        while (goes_on(walker, mpilens_next_object(walker->process, &object))) {
            expect(walker, object.kind == (uint32_t)kind);
            EXPECT_TEXT(walker, object.function);
            EXPECT_TEXT(walker, object.name);
            walk_details(walker, kind);
            walk_window(walker);
            walker->result.wrong += walk_handle(walker->process, &object);
            walker->result.objects++;
        }
    }
}

struct walk_result walk_everything(mqs_process *process, int world_size)
{
    struct walker walker = {.process = process, .world_size = world_size};
    walker.result.update = mqs_update_communicator_list(process);
    struct mpilens_process_information information = {.struct_size = sizeof information};
    if (mpilens_get_process(process, &information) == mqs_ok) {
        EXPECT_TEXT(&walker, information.library_version);
        EXPECT_TEXT(&walker, information.runtime_version);
        EXPECT_TEXT(&walker, information.job_identity);
    }
    walker.result.setup = mqs_setup_communicator_iterator(process);
    for (int code = walker.result.setup; code == mqs_ok; code = mqs_next_communicator(process))
        walk_communicator(&walker);
    if (walker.result.update == mqs_ok && walker.result.setup < mqs_first_user_code) {
        walk_threads(&walker);
        walk_requests(&walker);
        walk_freed_objects(&walker);
        walk_objects(&walker);
    }
    return walker.result;
}
