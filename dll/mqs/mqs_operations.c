/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Entry points about pending operations and unexpected messages (5.10.6, 5.10.7).
 */
#include "facts/facts.h"
#include "job/job.h"

#include <limits.h>

/* Leaves room for the request in the line. */
enum { MOST_DATATYPE_NAME_BYTES = 24 };

int mqs_setup_operation_iterator(mqs_process *process, int op_class)
{
    mqs_process_info *info = process_info(process);
    const struct communicator_view *view = NULL;
    int code = process_info_current_communicator(info, &view);
    if (code != mqs_ok)
        return code;
    info->operations = (struct bucket_position){0, 0};
    info->operation = NULL;
    listed_messages_free(&info->messages_listed);
    enum queue queue;
    switch (op_class) {
    case mqs_pending_sends:
        queue = QUEUE_SENDS;
        break;
    case mqs_pending_receives:
        queue = QUEUE_RECEIVES;
        break;
    case mqs_unexpected_messages:
        code = unexpected_messages_find(info);
        return code == mqs_ok ? listed_messages_begin(&info->unexpected, info->communicator, &info->messages_listed)
                              : code;
    default:
        return MPILENS_ERROR_BAD_ARGUMENT;
    }
    info->operations = buckets_begin(&info->reading.snapshot.operations, info->communicator * QUEUE_COUNT + queue);
    return mqs_ok;
}

/* "MPI_Issend, synchronous, nonblocking" */
static void describe_call(const char *function, uint32_t flags, struct text *text)
{
    static const struct {
        uint32_t flag;
        const char *text;
    } words[] = {
        {MPILENS_OPERATION_SYNCHRONOUS, ", synchronous"},
        {MPILENS_OPERATION_BUFFERED, ", buffered"},
        {MPILENS_OPERATION_READY, ", ready"},
        {MPILENS_OPERATION_FROM_PERSISTENT, ", persistent"},
        {MPILENS_OPERATION_PARTITIONED, ", partitioned"},
    };
    text_add(text, function[0] != '\0' ? function : "unknown function");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (flags & words[i].flag)
            text_add(text, words[i].text);
    text_add(text, flags & MPILENS_OPERATION_BLOCKING ? ", blocking" : ", nonblocking");
    if (flags & MPILENS_OPERATION_CANCELLED)
        text_add(text, ", cancelled");
}

/* "10 x MPI_INT, request 0x9c000000" */
static void describe_data(const struct mpilens_operation *operation, const struct operation_facts *facts,
                          struct text *text)
{
    text_add_decimal(text, operation->count);
    if (facts->datatype != NULL) {
        text_add(text, " x ");
        if (facts->datatype->name[0] != '\0')
            text_add_cut(text, facts->datatype->name, MOST_DATATYPE_NAME_BYTES);
        else
            text_add_hexadecimal(text, facts->datatype->handle);
    } else {
        text_add(text, " elements of unknown size");
    }
    if (operation->request != 0) {
        text_add(text, ", request ");
        text_add_hexadecimal(text, operation->request);
    }
}

static void end_lines(const mqs_process_info *info, mqs_pending_operation *operation, size_t first_empty)
{
    enum { MOST_LINES = sizeof operation->extra_text / sizeof operation->extra_text[0] };
    size_t line = first_empty;
    if (info->is_former && line < MOST_LINES) {
        struct text text = text_begin(operation->extra_text[line++], sizeof operation->extra_text[0]);
        text_add(&text, "as of ");
        text_add_decimal(&text, process_info_age_s(info));
        text_add(&text, " s ago: the process cannot be read any more");
    }
    for (; line < MOST_LINES; line++)
        operation->extra_text[line][0] = '\0';
}

static void describe(const mqs_process_info *info, const struct mpilens_operation *operation,
                     const struct operation_facts *facts, mqs_pending_operation *ret_operation)
{
    enum { LINE_BYTES = sizeof ret_operation->extra_text[0] };
    size_t line = 0;
    struct text text = text_begin(ret_operation->extra_text[line++], LINE_BYTES);
    describe_call(function_table_get(&info->reading.functions, operation->function)->name, operation->flags, &text);
    text = text_begin(ret_operation->extra_text[line++], LINE_BYTES);
    describe_data(operation, facts, &text);
    if (operation->site != 0) {
        text = text_begin(ret_operation->extra_text[line++], LINE_BYTES);
        text_add(&text, "called from ");
        text_add_hexadecimal(&text, operation->site);
    }
    if (operation->state == MPILENS_OPERATION_RELEASED) {
        text = text_begin(ret_operation->extra_text[line++], LINE_BYTES);
        text_add(&text, "request freed by the application: completion unknown");
    }
    end_lines(info, ret_operation, line);
}

static mqs_tword_t word_of(int64_t value)
{
    return value <= LONG_MAX ? (mqs_tword_t)value : -1;
}

/* "10 x MPI_INT" */
static void describe_elements(const struct mpilens_unexpected_information *message, struct text *text)
{
    text_add_signed(text, message->elements);
    if (message->datatype[0] != '\0') {
        text_add(text, " x ");
        text_add_cut(text, message->datatype, MOST_DATATYPE_NAME_BYTES);
    } else {
        text_add(text, " elements of unknown size");
    }
}

/* "inferred from rank 2, read earlier" */
static void describe_origin(const struct mpilens_unexpected_information *message, struct text *text)
{
    if (message->origin == MPILENS_ORIGIN_EXACT)
        text_add(text, "exact: MPI had it");
    if (message->origin == MPILENS_ORIGIN_EXACT && message->serial == 0)
        return;
    text_add(text, message->origin == MPILENS_ORIGIN_EXACT ? "; its send from rank " : "inferred from rank ");
    text_add_signed(text, message->peer_world);
    text_add(text, message->when < 0   ? ", read earlier"
                   : message->when > 0 ? ", read later"
                                       : ", read at the same time");
}

static void describe_message(const mqs_process_info *info, const struct mpilens_unexpected_information *message,
                             mqs_pending_operation *ret_operation)
{
    enum { LINE_BYTES = sizeof ret_operation->extra_text[0] };
    size_t line = 0;
    struct text text;
    if (message->is_counted) {
        text = text_begin(ret_operation->extra_text[line++], LINE_BYTES);
        text_add_decimal(&text, message->count);
        text_add(&text, message->count == 1 ? " more message of rank " : " more messages of rank ");
        text_add_signed(&text, message->peer_world);
        text_add(&text, ", older than its recorder");
    } else if (message->serial != 0) {
        text = text_begin(ret_operation->extra_text[line++], LINE_BYTES);
        describe_call(message->function, message->flags, &text);
        text = text_begin(ret_operation->extra_text[line++], LINE_BYTES);
        describe_elements(message, &text);
        text = text_begin(ret_operation->extra_text[line++], LINE_BYTES);
        text_add(&text, "called from ");
        text_add_hexadecimal(&text, message->site);
        text_add(&text, " in rank ");
        text_add_signed(&text, message->peer_world);
    }
    text = text_begin(ret_operation->extra_text[line++], LINE_BYTES);
    describe_origin(message, &text);
    if (info->messages_listed.next == 1 && message->left_out > 0) {
        text = text_begin(ret_operation->extra_text[line++], LINE_BYTES);
        text_add_decimal(&text, message->left_out);
        text_add(&text, message->left_out == 1 ? " process could not be read: left out"
                                               : " processes could not be read: left out");
    }
    end_lines(info, ret_operation, line);
}

static int next_message(mqs_process_info *info, mqs_pending_operation *ret_operation)
{
    struct mpilens_unexpected_information message;
    const int code = process_info_next_unexpected(info, &message);
    if (code != mqs_ok)
        return code;
    *ret_operation = (mqs_pending_operation){
        .status = mqs_st_pending,
        .desired_local_rank = message.peer_local,
        .desired_global_rank = message.peer_world,
        .desired_tag = message.tag,
        .desired_length = word_of(message.bytes),
        .system_buffer = 1,
        .actual_local_rank = message.peer_local,
        .actual_global_rank = message.peer_world,
        .actual_tag = message.tag,
        .actual_length = word_of(message.bytes),
    };
    describe_message(info, &message, ret_operation);
    return mqs_ok;
}

int mqs_next_operation(mqs_process *process, mqs_pending_operation *ret_operation)
{
    mqs_process_info *info = process_info(process);
    const struct communicator_view *view = NULL;
    if (ret_operation == NULL)
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_current_communicator(info, &view);
    if (code != mqs_ok)
        return code;
    if (info->messages_listed.is_listing)
        return next_message(info, ret_operation);
    const struct mpilens_operation *operation = buckets_next(&info->reading.snapshot.operations, &info->operations);
    if (operation == NULL)
        return mqs_end_of_list;
    info->operation = operation;
    const struct operation_facts facts = operation_facts_get(&info->reading, view, operation);
    ret_operation->status = operation_status(operation);
    ret_operation->desired_local_rank = facts.peer_local;
    ret_operation->desired_global_rank = facts.peer_world;
    ret_operation->tag_wild = facts.tag_wild;
    ret_operation->desired_tag = facts.tag;
    ret_operation->desired_length = word_of(facts.bytes);
    ret_operation->system_buffer = 0;
    ret_operation->buffer = (mqs_taddr_t)operation->buffer;
    ret_operation->actual_local_rank = facts.actual_local;
    ret_operation->actual_global_rank = facts.actual_world;
    ret_operation->actual_tag = facts.actual_tag;
    ret_operation->actual_length = word_of(facts.actual_bytes);
    describe(info, operation, &facts, ret_operation);
    return mqs_ok;
}
