/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Entry points about pending operations (5.10.6, 5.10.7).
 */
#include "facts/operation_facts.h"
#include "facts/text.h"
#include "process/process_info.h"

#include <limits.h>

/* So that the request fits in the line, too. */
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
    enum queue queue;
    switch (op_class) {
    case mqs_pending_sends:
        queue = QUEUE_SENDS;
        break;
    case mqs_pending_receives:
        queue = QUEUE_RECEIVES;
        break;
    case mqs_unexpected_messages: /* held by the MPI library, where nobody outside of it sees them */
        return mqs_no_information;
    default:
        return MPILENS_ERROR_BAD_ARGUMENT;
    }
    info->operations = buckets_begin(&info->reading.snapshot.operations, info->communicator * QUEUE_COUNT + queue);
    return mqs_ok;
}

static int status_of(const struct mpilens_operation *operation)
{
    switch (operation->state) {
    case MPILENS_OPERATION_MATCHED:
        return mqs_st_matched;
    case MPILENS_OPERATION_COMPLETE:
        return mqs_st_complete;
    default:
        return mqs_st_pending;
    }
}

/* "MPI_Issend, synchronous, nonblocking" */
static void describe_call(const struct reading *reading, const struct mpilens_operation *operation, struct text *text)
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
    const char *function = function_table_get(&reading->functions, operation->function)->name;
    text_add(text, function[0] != '\0' ? function : "unknown function");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (operation->flags & words[i].flag)
            text_add(text, words[i].text);
    text_add(text, operation->flags & MPILENS_OPERATION_BLOCKING ? ", blocking" : ", nonblocking");
    if (operation->flags & MPILENS_OPERATION_CANCELLED)
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

static void describe(const struct reading *reading, const struct mpilens_operation *operation,
                     const struct operation_facts *facts, mqs_pending_operation *ret_operation)
{
    enum { LINE_BYTES = sizeof ret_operation->extra_text[0] };
    size_t line = 0;
    struct text text = text_begin(ret_operation->extra_text[line++], LINE_BYTES);
    describe_call(reading, operation, &text);
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
    for (; line < sizeof ret_operation->extra_text / sizeof ret_operation->extra_text[0]; line++)
        ret_operation->extra_text[line][0] = '\0';
}

static mqs_tword_t word_of(int64_t value)
{
    return value <= LONG_MAX ? (mqs_tword_t)value : -1;
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
    const struct mpilens_operation *operation = buckets_next(&info->reading.snapshot.operations, &info->operations);
    if (operation == NULL)
        return mqs_end_of_list;
    info->operation = operation;
    const struct operation_facts facts = operation_facts_get(&info->reading, view, operation);
    ret_operation->status = status_of(operation);
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
    describe(&info->reading, operation, &facts, ret_operation);
    return mqs_ok;
}
