/* SPDX-License-Identifier: BSD-3-Clause
 *
 * This command as a debugger that has types, for libraries that cannot do without.
 */

#include "base/base.h"
#include "collect/collect_internal.h"
#include "debug/debug.h"
#include "mpilens/message_queue.h"
#include "target/target.h"
#include "target/target_kinds.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bounds the answers of a library that reads corrupt memory. */
enum { MOST_COMMUNICATORS = 1 << 16, MOST_OPERATIONS = 1 << 20 };

struct vendor_dll {
    void *library;
    __typeof__(mqs_dll_taddr_width) *mqs_dll_taddr_width; /* NULL: it has none, as older ones */
#define MEMBER(function) __typeof__(function) *function;  /* NOLINT(bugprone-macro-parentheses): a declaration */
    MQS_FUNCTIONS(MEMBER)
#undef MEMBER
};

/* --- callbacks beyond those that our own library needs --- */

/* A type that was found; the library never gives it back. */
struct mqs_type_ {
    Dwarf_Die die;
    struct mqs_type_ *next;
};

/* The types found for the process that is read. */
static struct mqs_type_ *found_types;
static int current_rank;
static bool has_more_sizes;
static char missing_type[64]; /* that was asked for last and not found; "": none */

static void ignore_text(const char *text)
{
    (void)text;
}

static char *describe_error(int code)
{
    static char known[] = "no error", other[] = "an error of the debugger library";
    return code == mqs_ok ? known : other;
}

/* Open MPI's has two members more, of the header that it was built with. */
static void get_type_sizes(mqs_process *process, mqs_target_type_sizes *ret_sizes)
{
    debugger_image_callbacks.mqs_get_type_sizes_fp(process, ret_sizes);
    const int more[] = {1, target_pointer_bytes(process->target)};
    if (has_more_sizes)
        memcpy((char *)ret_sizes + sizeof *ret_sizes, more, sizeof more);
}

static int find_symbol(mqs_image *image, char *name, mqs_taddr_t *ret_address)
{
    uint64_t address;
    if (!target_find_symbol(image->target, name, &address) &&
        !target_find_program_symbol(image->target, name, &address))
        return mqs_no_information;
    if (ret_address != NULL)
        *ret_address = (mqs_taddr_t)address;
    return mqs_ok;
}

static int find_function(mqs_image *image, char *name, mqs_lang_code language, mqs_taddr_t *ret_address)
{
    (void)language;
    return find_symbol(image, name, ret_address);
}

static mqs_type *find_type(mqs_image *image, char *name, mqs_lang_code language)
{
    const struct target *target = image->target;
    Dwarf_Die die;
    (void)language;
    if (!debug_find_type(target->dwfl, target_executable(target), name, &die)) {
        snprintf(missing_type, sizeof missing_type, "%s", name);
        return NULL;
    }
    struct mqs_type_ *type = allocate(sizeof *type);
    *type = (struct mqs_type_){.die = die, .next = found_types};
    found_types = type;
    return type;
}

static int field_offset(mqs_type *type, char *name)
{
    return type != NULL ? debug_field_offset(&type->die, name) : -1;
}

static int size_of(mqs_type *type)
{
    return type != NULL ? debug_type_size(&type->die) : -1;
}

static int get_global_rank(mqs_process *process)
{
    (void)process;
    return current_rank;
}

static const mqs_image_callbacks image_callbacks = {
    .mqs_get_type_sizes_fp = get_type_sizes,
    .mqs_find_function_fp = find_function,
    .mqs_find_symbol_fp = find_symbol,
    .mqs_find_type_fp = find_type,
    .mqs_field_offset_fp = field_offset,
    .mqs_sizeof_fp = size_of,
};

static void free_types(void)
{
    while (found_types != NULL) {
        struct mqs_type_ *next = found_types->next;
        free(found_types);
        found_types = next;
    }
}

/* --- the library --- */

static int load(const char *path, struct vendor_dll *dll, struct reason *ret_reason)
{
    static mqs_basic_callbacks basic_callbacks;
    dll->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (dll->library == NULL)
        return reason_set(ret_reason, "cannot load the debugger library: %s", dlerror());
    const struct {
        const char *name;
        void **address;
    } entry_points[] = {
#define ENTRY_POINT(function) {#function, (void **)&dll->function},
        MQS_FUNCTIONS(ENTRY_POINT)
#undef ENTRY_POINT
    };
    for (size_t i = 0; i < sizeof entry_points / sizeof *entry_points; i++) {
        *entry_points[i].address = dlsym(dll->library, entry_points[i].name);
        if (*entry_points[i].address == NULL)
            return reason_set(ret_reason, "%s is no debugger library of MPI: it has no %s", path, entry_points[i].name);
    }
    *(void **)&dll->mqs_dll_taddr_width = dlsym(dll->library, "mqs_dll_taddr_width");
    if (dll->mqs_version_compatibility() != MQS_INTERFACE_COMPATIBILITY ||
        (dll->mqs_dll_taddr_width != NULL && dll->mqs_dll_taddr_width() != (int)sizeof(mqs_taddr_t)))
        return reason_set(ret_reason, "%s has another version of the message-queue interface, or is of another machine",
                          path);
    basic_callbacks = debugger_basic_callbacks;
    basic_callbacks.mqs_dprints_fp = ignore_text;
    basic_callbacks.mqs_errorstring_fp = describe_error;
    dll->mqs_setup_basic_callbacks(&basic_callbacks);
    return 0;
}

int vendor_dll_open(const char *path, struct vendor_dll **ret_dll, struct reason *ret_reason)
{
    struct vendor_dll *dll = allocate(sizeof *dll);
    if (load(path, dll, ret_reason) != 0) {
        vendor_dll_close(dll);
        return -1;
    }
    *ret_dll = dll;
    return 0;
}

void vendor_dll_close(struct vendor_dll *dll)
{
    if (dll == NULL)
        return;
    if (dll->library != NULL)
        dlclose(dll->library);
    free(dll);
}

/* --- what it says --- */

static struct operation operation_of(const mqs_pending_operation *pending, struct operation_details_pool *pool)
{
    const bool has_actual = pending->status != mqs_st_pending;
    const struct operation_details details = {
        .function = "",
        .datatype = "",
        .count = -1,
        .bytes = pending->desired_length,
        .actual_bytes = has_actual ? pending->actual_length : -1,
        .partitions_marked = -1,
    };
    return (struct operation){
        .age_s = -1,
        .buffer = (uint64_t)pending->buffer,
        .status = pending->status,
        .peer_local = (int32_t)pending->desired_local_rank,
        .peer_world = (int32_t)pending->desired_global_rank,
        .tag = (int32_t)pending->desired_tag,
        .tag_wild = pending->tag_wild != 0,
        .actual_local = has_actual ? (int32_t)pending->actual_local_rank : -1,
        .actual_world = has_actual ? (int32_t)pending->actual_global_rank : -1,
        .actual_tag = (int32_t)pending->actual_tag,
        .match_rank = -1,
        .details = operation_details_share(pool, &details),
    };
}

static void collect_queue(const struct vendor_dll *dll, mqs_process *handle, int op_class, uint32_t flag,
                          struct operation_details_pool *details, struct operations *operations)
{
    mqs_pending_operation pending = {.status = mqs_st_pending};
    if (dll->mqs_setup_operation_iterator(handle, op_class) != mqs_ok)
        return;
    while (operations->count < MOST_OPERATIONS && dll->mqs_next_operation(handle, &pending) == mqs_ok) {
        operations->items = array_append(operations->items, &operations->count, sizeof *operations->items);
        struct operation *operation = &operations->items[operations->count - 1];
        *operation = operation_of(&pending, details);
        operation->flags = flag;
        operation->serial = operations->count;
        pending = (mqs_pending_operation){.status = mqs_st_pending};
    }
}

static void collect_communicator(const struct vendor_dll *dll, mqs_process *handle, const mqs_communicator *found,
                                 struct job *job, struct process *process)
{
    char name[sizeof found->name];
    memcpy(name, found->name, sizeof name);
    name[sizeof name - 1] = '\0';
    process->communicators =
        array_append(process->communicators, &process->communicator_count, sizeof *process->communicators);
    struct communicator *communicator = &process->communicators[process->communicator_count - 1];
    *communicator = (struct communicator){.id = (uint64_t)found->unique_id,
                                          .name = text_pool_add(&job->names, name),
                                          .function = "",
                                          .parent_name = "",
                                          .age_s = -1,
                                          .rank = (int32_t)found->local_rank,
                                          .size = (int32_t)found->size,
                                          .serial = (uint32_t)process->communicator_count};
    collect_queue(dll, handle, mqs_pending_sends, MPILENS_OPERATION_SEND, &job->details, &communicator->sends);
    collect_queue(dll, handle, mqs_pending_receives, 0, &job->details, &communicator->receives);
    collect_queue(dll, handle, mqs_unexpected_messages, MPILENS_OPERATION_SEND, &job->details,
                  &communicator->unexpected);
}

static int attach(const struct vendor_dll *dll, mqs_process *handle, const mqs_process_callbacks *callbacks,
                  char **ret_message)
{
    int code = dll->mqs_setup_image(&handle->image, &image_callbacks);
    if (code == mqs_ok)
        code = dll->mqs_image_has_queues(&handle->image, ret_message);
    if (code == mqs_ok)
        code = dll->mqs_setup_process(handle, callbacks);
    if (code == mqs_ok)
        code = dll->mqs_process_has_queues(handle, ret_message);
    return code == mqs_ok ? dll->mqs_update_communicator_list(handle) : code;
}

static void detach(const struct vendor_dll *dll, mqs_process *handle)
{
    if (handle->information != NULL)
        dll->mqs_destroy_process_info(handle->information);
    if (handle->image.information != NULL)
        dll->mqs_destroy_image_info(handle->image.information);
    free_types();
}

static int explain(const struct vendor_dll *dll, int code, const char *message, struct reason *ret_reason)
{
    const char *text = message != NULL ? message : dll->mqs_dll_error_string(code);
    return reason_set(ret_reason,
                      "the debugger library cannot read the queues: %s%s%s (it needs an MPI that was built with debug "
                      "information, and fits it)",
                      text != NULL ? text : "unknown error", missing_type[0] != '\0' ? "; there is no type " : "",
                      missing_type);
}

int vendor_dll_collect(const struct vendor_dll *dll, struct job *job, struct process *process,
                       struct reason *ret_reason)
{
    mqs_process_callbacks process_callbacks = debugger_process_callbacks;
    struct mqs_process_ handle = {.target = process->target, .image.target = process->target};
    char *message = NULL;
    has_more_sizes = dlsym(dll->library, "ompi_fill_in_type_info") != NULL;
    current_rank = process->rank;
    missing_type[0] = '\0';
    debugger_set_budget(SIZE_MAX);
    process_callbacks.mqs_get_global_rank_fp = get_global_rank;
    int code = attach(dll, &handle, &process_callbacks, &message);
    if (code == mqs_ok)
        code = dll->mqs_setup_communicator_iterator(&handle);
    while (code == mqs_ok && process->communicator_count < MOST_COMMUNICATORS) {
        mqs_communicator found = {.size = 0};
        code = dll->mqs_get_communicator(&handle, &found);
        if (code != mqs_ok)
            break;
        collect_communicator(dll, &handle, &found, job, process);
        code = dll->mqs_next_communicator(&handle);
    }
    const bool is_read = code == mqs_ok || code == mqs_end_of_list || process->communicator_count > 0;
    const int result = is_read ? 0 : explain(dll, code, message, ret_reason);
    detach(dll, &handle);
    return result;
}

int vendor_dll_collect_job(const char *path, struct job *job, struct reason *ret_reason)
{
    struct vendor_dll *dll;
    struct reason first = {.text = ""}, reason;
    size_t read = 0;
    if (vendor_dll_open(path, &dll, ret_reason) != 0)
        return -1;
    for (size_t i = 0; i < job->process_count; i++) {
        struct process *process = &job->processes[i];
        if (!process->lacks_tables || process->target == NULL || process->is_saved)
            continue;
        if (vendor_dll_collect(dll, job, process, &reason) == 0)
            read++;
        else if (first.text[0] == '\0')
            first = reason;
    }
    vendor_dll_close(dll);
    if (read > 0)
        return 0;
    *ret_reason = first;
    return first.text[0] != '\0'
               ? -1
               : reason_set(ret_reason, "%s is of no use: no rank runs here without the runtime", path);
}
