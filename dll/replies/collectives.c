/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about collective calls: on the communicator at which the iterator stands, on the window or
 * file that is the current object.
 */
#include "replies/replies.h"

#include "facts/facts.h"
#include "layout/layout.h"
#include "types/types.h"

#include "mpilens/words.h"

enum {
    RECENT_COUNT = sizeof((struct mpilens_communicator *)0)->recent_collectives / sizeof(struct mpilens_collective)
};

int mpilens_get_collective_class(mqs_process *process, int collective_class,
                                 struct mpilens_collective_class_information *ret_class)
{
    mqs_process_info *info = process_info(process);
    const struct communicator_view *view = NULL;
    if (!reply_is_possible(ret_class) || collective_class < 0)
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_current_communicator(info, &view);
    if (code != mqs_ok)
        return code;
    if (collective_class >= MPILENS_COLLECTIVE_CLASS_COUNT)
        return mqs_end_of_list;
    if (view->record == NULL)
        return mqs_no_information;
    const struct mpilens_collective_state *state = &view->record->collective_states[collective_class];
    struct mpilens_collective_class_information answer = {.count = state->count, .active = state->active};
    text_set(answer.name, sizeof answer.name, mpilens_collective_class_word((uint32_t)collective_class));
    reply_give(ret_class, &answer, sizeof answer);
    return mqs_ok;
}

int mpilens_setup_collective_iterator(mqs_process *process)
{
    mqs_process_info *info = process_info(process);
    const struct communicator_view *view = NULL;
    int code = process_info_current_communicator(info, &view);
    if (code != mqs_ok)
        return code;
    info->next_collective = 0;
    if (view->record == NULL)
        return mqs_no_information;
    info->next_collective = 1;
    return mqs_ok;
}

static void describe_op(const struct reading *reading, const struct mpilens_collective *record,
                        struct mpilens_collective_information *answer)
{
    const struct handle handle = {.kind = MPILENS_OBJECT_OP, .language = MPILENS_HANDLE_C, .value = record->op};
    const struct mpilens_op *op =
        record->op != 0 ? handle_lookup(&reading->snapshot.tables[MPILENS_TABLE_OPS], &reading->root.process, &handle)
                        : NULL;
    if (op == NULL)
        return;
    text_set(answer->op_name, sizeof answer->op_name, op->name);
    answer->op_function = op->user_function;
}

/* The order of calls on one communicator, window or file. */
struct order {
    uint64_t count;
    const struct mpilens_collective *recent;
    uint64_t arguments; /* address, 0: none */
    uint64_t copies;    /* of arrays of counts: address, 0: none */
};

static void describe_arguments(const mqs_process_info *info, const struct order *order,
                               struct mpilens_collective_information *answer)
{
    const struct root *root = &info->reading.root;
    const size_t size = root->offsets.struct_size[MPILENS_STRUCT_collective_arguments];
    const uint64_t place = order->arguments + (answer->serial - 1) % RECENT_COUNT * (uint64_t)size;
    struct mpilens_collective_arguments arguments;
    if ((answer->agreement & MPILENS_AGREE_SAME_ARGUMENTS) != 0 && order->arguments != 0 &&
        serial_records_read(&info->reading.target, root, MPILENS_STRUCT_collective_arguments, place, 1, &arguments,
                            sizeof arguments) == mqs_ok &&
        arguments.serial == answer->serial)
        text_set(answer->arguments, sizeof answer->arguments, arguments.text);
}

static uint32_t root_side(const struct mpilens_process *process, const struct mpilens_collective *record)
{
    if (!record->has_root || record->root >= 0)
        return 0;
    return record->root == process->root        ? MPILENS_ROOT_ITSELF
           : record->root == process->proc_null ? MPILENS_ROOT_BESIDE
                                                : 0;
}

/* One side of what a collective call exchanges: arrays in the target's memory. */
struct exchange {
    uint64_t counts;
    uint64_t datatypes; /* address of their handles, or the handle of all */
    bool has_datatype_each;
    uint32_t count_bytes, datatype_bytes; /* of an element of either array */
};

static int find_exchange(const mqs_process_info *info, const struct mpilens_collective *call, bool is_expected,
                         struct exchange *ret_exchange)
{
    const struct mpilens_function *function = function_table_get(&info->reading.functions, call->function);
    const struct exchange both[2] = {
        {.counts = call->send_counts, .datatypes = call->send_datatypes},
        {.counts = call->receive_counts, .datatypes = call->receive_datatypes},
    };
    *ret_exchange = both[is_expected];
    ret_exchange->datatype_bytes = handle_bytes(&info->reading.root.process, MPILENS_OBJECT_DATATYPE);
    ret_exchange->count_bytes = function->small_count != 0 ? sizeof(int64_t) : sizeof(int32_t);
    switch (function->collective_class) {
    case MPILENS_COLLECTIVE_ALLTOALLW:
    case MPILENS_COLLECTIVE_NEIGHBOR_ALLTOALLW:
        ret_exchange->has_datatype_each = true;
        break;
    case MPILENS_COLLECTIVE_ALLTOALLV:
    case MPILENS_COLLECTIVE_NEIGHBOR_ALLTOALLV:
        break;
    case MPILENS_COLLECTIVE_SCATTERV:
        if (is_expected)
            return mqs_no_information;
        break;
    case MPILENS_COLLECTIVE_GATHERV:
    case MPILENS_COLLECTIVE_ALLGATHERV:
    case MPILENS_COLLECTIVE_REDUCE_SCATTER:
    case MPILENS_COLLECTIVE_NEIGHBOR_ALLGATHERV:
        if (!is_expected)
            return mqs_no_information;
        break;
    default:
        return mqs_no_information;
    }
    const bool has_types = !ret_exchange->has_datatype_each || ret_exchange->datatype_bytes != 0;
    return ret_exchange->counts != 0 && has_types ? mqs_ok : mqs_no_information;
}

static const struct mpilens_datatype *find_datatype(const struct reading *reading, uint64_t value)
{
    const struct handle handle = {.kind = MPILENS_OBJECT_DATATYPE, .language = MPILENS_HANDLE_C, .value = value};
    return handle_lookup(&reading->snapshot.tables[MPILENS_TABLE_DATATYPES], &reading->root.process, &handle);
}

/* When the call is over, a handle that is not predefined may name another type by now. */
static bool has_copies(const mqs_process_info *info, const struct order *order, const struct mpilens_collective *call,
                       bool is_expected)
{
    struct exchange exchange;
    if (find_exchange(info, call, is_expected, &exchange) != mqs_ok)
        return true;
    if (order->copies == 0 || exchange.counts - order->copies >= MPILENS_COUNT_COPIES_BYTES ||
        exchange.has_datatype_each)
        return false;
    const struct mpilens_datatype *datatype = find_datatype(&info->reading, exchange.datatypes);
    return datatype != NULL && datatype->combiner == MPILENS_COMBINER_NAMED;
}

static void describe(mqs_process_info *info, const struct order *order, const struct mpilens_collective *record,
                     struct mpilens_collective_information *ret_answer)
{
    const struct mpilens_datatype *datatype = snapshot_datatype(&info->reading.snapshot, record->datatype);
    const struct mpilens_function *function = function_table_get(&info->reading.functions, record->function);
    struct mpilens_collective_information answer = {
        .serial = record->serial,
        .entered = record->entered,
        .site = record->site,
        .active = record->active,
        .has_root = record->has_root,
        .root = record->has_root && record->root >= 0 ? record->root : -1,
        .count = record->count,
        .bytes = bytes_of(record->count, datatype),
        .op = record->op,
        .buffer = record->buffer,
        .signature = type_signature(&info->reading, &info->type_signatures, record->count, datatype),
        .purpose = function->purpose,
        .collective_class = function->collective_class,
        .data_flow = function->data_flow,
        .agreement = function->agreement,
        .root_side = root_side(&info->reading.root.process, record),
        .counts_are_kept = has_copies(info, order, record, false) && has_copies(info, order, record, true),
    };
    text_set(answer.function, sizeof answer.function, function->name);
    text_set(answer.small_count, sizeof answer.small_count,
             function_table_get(&info->reading.functions, function->small_count)->name);
    struct text text = text_begin(answer.datatype, sizeof answer.datatype);
    text_add_datatype(&text, &info->reading, datatype);
    describe_op(&info->reading, record, &answer);
    describe_arguments(info, order, &answer);
    *ret_answer = answer;
}

/* A record that is being written, or already tells of a later call, is left out. */
static int give_next(mqs_process_info *info, const struct order *order, uint64_t *next,
                     struct mpilens_collective_information *ret_collective)
{
    uint64_t first = order->count > RECENT_COUNT ? order->count - RECENT_COUNT + 1 : 1;
    if (*next != 0 && *next < first)
        *next = first;
    while (*next != 0 && *next <= order->count) {
        uint64_t serial = (*next)++;
        const struct mpilens_collective *record = &order->recent[(serial - 1) % RECENT_COUNT];
        if (record->serial != serial)
            continue;
        struct mpilens_collective_information answer;
        describe(info, order, record, &answer);
        reply_give(ret_collective, &answer, sizeof answer);
        return mqs_ok;
    }
    return mqs_end_of_list;
}

int mpilens_next_collective(mqs_process *process, struct mpilens_collective_information *ret_collective)
{
    mqs_process_info *info = process_info(process);
    const struct communicator_view *view = NULL;
    int code = reply_communicator(info, ret_collective, &view);
    if (code != mqs_ok)
        return code;
    if (view->record == NULL)
        return mqs_end_of_list;
    const struct order order = {view->record->collective_count, view->record->recent_collectives,
                                view->record->arguments, view->record->count_copies};
    return give_next(info, &order, &info->next_collective, ret_collective);
}

/* The call on the communicator that the iterator has delivered last, NULL: none, or its place tells of a later one. */
static const struct mpilens_collective *delivered_call(const mqs_process_info *info,
                                                       const struct communicator_view *view)
{
    const uint64_t serial = info->next_collective - 1;
    if (view->record == NULL || info->next_collective < 2 || serial > view->record->collective_count)
        return NULL;
    const struct mpilens_collective *call = &view->record->recent_collectives[(serial - 1) % RECENT_COUNT];
    return call->serial == serial ? call : NULL;
}

/* Bytes of one element, -1: not known. */
static int64_t datatype_bytes(const struct reading *reading, uint64_t value)
{
    const struct mpilens_datatype *datatype = find_datatype(reading, value);
    return datatype != NULL ? datatype->size : -1;
}

/* Those of an array from `first`. */
static int read_elements(const mqs_process_info *info, struct object_block *block, uint64_t address, uint32_t width,
                         size_t first, size_t count, const uint8_t **ret_bytes)
{
    return object_block_read(block, &info->reading.target, address + (uint64_t)first * width, (uint64_t)count * width,
                             ret_bytes);
}

static int64_t count_at(const mqs_process_info *info, const uint8_t *counts, uint32_t width, size_t i)
{
    const uint64_t count = decode_integer(counts + i * width, width, info->reading.root.offsets.header.big_endian);
    return width == sizeof(int32_t) ? (int32_t)(uint32_t)count : (int64_t)count;
}

static void set_amounts(const mqs_process_info *info, const struct exchange *exchange, const uint8_t *counts,
                        const uint8_t *datatypes, size_t count, int64_t *ret_bytes)
{
    const uint32_t width = exchange->datatype_bytes;
    uint64_t handle = exchange->datatypes;
    int64_t size = exchange->has_datatype_each ? -1 : datatype_bytes(&info->reading, handle);
    for (size_t i = 0; i < count; i++) {
        const int64_t elements = count_at(info, counts, exchange->count_bytes, i);
        const uint64_t given = datatypes != NULL ? decode_integer(datatypes + i * width, width,
                                                                  info->reading.root.offsets.header.big_endian)
                                                 : handle;
        if (datatypes != NULL && (i == 0 || given != handle)) {
            handle = given;
            size = datatype_bytes(&info->reading, handle);
        }
        const bool is_known = elements == 0 || (elements > 0 && size >= 0);
        if (!is_known || __builtin_mul_overflow(elements, elements > 0 ? size : 0, &ret_bytes[i]))
            ret_bytes[i] = -1;
    }
}

int mpilens_get_collective_amounts(mqs_process *process, int is_expected, size_t first, size_t count,
                                   int64_t *ret_bytes)
{
    mqs_process_info *info = process_info(process);
    const struct communicator_view *view = NULL;
    if (ret_bytes == NULL || count == 0)
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_current_communicator(info, &view);
    if (code != mqs_ok)
        return code;
    const struct mpilens_collective *call = delivered_call(info, view);
    struct exchange exchange;
    code = call != NULL ? find_exchange(info, call, is_expected != 0, &exchange) : mqs_no_information;
    if (code != mqs_ok)
        return code;
    struct object_block counts = {.bytes = NULL}, datatypes = counts;
    const uint8_t *count_array = NULL, *datatype_array = NULL;
    code = read_elements(info, &counts, exchange.counts, exchange.count_bytes, first, count, &count_array);
    if (code == mqs_ok && exchange.has_datatype_each)
        code =
            read_elements(info, &datatypes, exchange.datatypes, exchange.datatype_bytes, first, count, &datatype_array);
    if (code == mqs_ok)
        set_amounts(info, &exchange, count_array, datatype_array, count, ret_bytes);
    object_block_free(&counts);
    object_block_free(&datatypes);
    return code;
}

static struct mpilens_collective_mark_information describe_mark(const mqs_process_info *info,
                                                                const struct mpilens_collective_mark *mark)
{
    const struct mpilens_function *function = function_table_get(&info->reading.functions, mark->function);
    struct mpilens_collective_mark_information answer = {.serial = mark->serial,
                                                         .site = mark->site,
                                                         .root = mark->root >= 0 ? mark->root : -1,
                                                         .begun = mark->begun,
                                                         .root_sum = mark->root_sum};
    text_set(answer.function, sizeof answer.function, function->name);
    text_set(answer.small_count, sizeof answer.small_count,
             function_table_get(&info->reading.functions, function->small_count)->name);
    return answer;
}

static void insert_mark(struct mpilens_collective_mark_information *marks, size_t count,
                        const struct mpilens_collective_mark_information *mark)
{
    for (; count > 0 && marks[count - 1].serial > mark->serial; count--)
        marks[count] = marks[count - 1];
    marks[count] = *mark;
}

int mpilens_get_collective_marks(mqs_process *process, struct mpilens_collective_mark_information *ret_marks,
                                 size_t capacity, size_t *ret_count)
{
    mqs_process_info *info = process_info(process);
    const struct communicator_view *view = NULL;
    if (ret_count == NULL || (capacity > 0 && !reply_is_possible(ret_marks)))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_current_communicator(info, &view);
    if (code != mqs_ok)
        return code;
    if (view->record == NULL || view->record->marks == 0)
        return mqs_no_information;
    struct mpilens_collective_mark records[MPILENS_MARK_COUNT];
    struct mpilens_collective_mark_information marks[MPILENS_MARK_COUNT];
    size_t count = 0;
    code = serial_records_read(&info->reading.target, &info->reading.root, MPILENS_STRUCT_collective_mark,
                               view->record->marks, MPILENS_MARK_COUNT, records, sizeof records[0]);
    for (size_t i = 0; code == mqs_ok && i < MPILENS_MARK_COUNT; i++) {
        const struct mpilens_collective_mark_information mark = describe_mark(info, &records[i]);
        if (mark.serial != 0)
            insert_mark(marks, count++, &mark);
    }
    count = count < capacity ? count : capacity;
    for (size_t i = 0; i < count; i++)
        reply_give_element(ret_marks, i, &marks[i], sizeof marks[i]);
    if (code == mqs_ok)
        *ret_count = count;
    return code;
}

static int current_order(mqs_process_info *info, struct order *ret_order)
{
    const void *record = NULL;
    int code = process_info_current_object(info, MPILENS_OBJECT_NONE, &record);
    if (code != mqs_ok)
        return code;
    if (info->object_kind == MPILENS_OBJECT_WINDOW) {
        const struct mpilens_window *window = record;
        *ret_order = (struct order){window->collective_count, window->recent_collectives, 0, 0};
    } else if (info->object_kind == MPILENS_OBJECT_FILE) {
        const struct mpilens_file *file = record;
        *ret_order = (struct order){file->collective_count, file->recent_collectives, file->arguments, 0};
    } else {
        return MPILENS_ERROR_NO_CURRENT;
    }
    return mqs_ok;
}

int mpilens_setup_object_collective_iterator(mqs_process *process)
{
    mqs_process_info *info = process_info(process);
    struct order order;
    int code = current_order(info, &order);
    if (code == mqs_ok)
        info->next_object_collective = 1;
    return code;
}

int mpilens_next_object_collective(mqs_process *process, struct mpilens_collective_information *ret_collective)
{
    mqs_process_info *info = process_info(process);
    struct order order;
    if (!reply_is_possible(ret_collective))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = current_order(info, &order);
    return code == mqs_ok ? give_next(info, &order, &info->next_object_collective, ret_collective) : code;
}
