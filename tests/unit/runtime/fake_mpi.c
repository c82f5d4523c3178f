/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of the fake MPI library.
 */
#include "fake_mpi.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_REQUEST = 0x2c000100, FIRST_PERSISTENT = 0x2d000000, PERSISTENT_CAPACITY = 1 << 16 };

struct fake_mpi fake = {.size = 4, .datatype_size = 24, .object = MPI_ERRORS_ARE_FATAL};

static bool active[PERSISTENT_CAPACITY]; /* persistent requests that were started */
static unsigned requests_made;
static unsigned persistent_made;

MPI_Status fake_status(int source, int tag, uint64_t bytes, bool cancelled)
{
    return (MPI_Status){.count_lo = (int)(uint32_t)bytes,
                        .count_hi_and_cancelled = (int)((uint32_t)(bytes >> 32) << 1) | cancelled,
                        .MPI_SOURCE = source,
                        .MPI_TAG = tag,
                        .MPI_ERROR = 1234};
}

/* Handles as MPICH makes them: "direct" requests. */
static MPI_Request new_request(void)
{
    MPI_Request request = fake.request ? fake.request : (MPI_Request)(0x80000000u | (FIRST_REQUEST + requests_made++));
    fake.request = 0;
    return request;
}

static MPI_Request new_persistent_request(void)
{
    return (MPI_Request)(0x80000000u | (FIRST_PERSISTENT + persistent_made++ % PERSISTENT_CAPACITY));
}

static bool is_persistent(MPI_Request request)
{
    return (uint32_t)request - (0x80000000u | FIRST_PERSISTENT) < PERSISTENT_CAPACITY;
}

static bool *activity(MPI_Request request)
{
    return &active[(uint32_t)request % PERSISTENT_CAPACITY];
}

static bool is_active(MPI_Request request)
{
    return request != MPI_REQUEST_NULL && (!is_persistent(request) || *activity(request));
}

static void complete(MPI_Request *request, int error)
{
    bool stays = is_persistent(*request) && !(fake.error_frees_persistent && error != MPI_SUCCESS);
    if (is_persistent(*request))
        *activity(*request) = false;
    if (!stays)
        *request = MPI_REQUEST_NULL;
}

static void store_status(MPI_Status *status, const MPI_Status *value)
{
    if (status == MPI_STATUS_IGNORE || status == NULL)
        return;
    int error = status->MPI_ERROR;
    *status = *value;
    status->MPI_ERROR = error;
}

static void store_empty_status(MPI_Status *status)
{
    const MPI_Status empty = fake_status(MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
    store_status(status, &empty);
}

static int class_of(int error)
{
    return error & 0x7f;
}

static void wait_for_one(const struct fake_call *call, int error)
{
    if (is_active(*call->requests)) {
        store_status(call->statuses, &fake.status);
        complete(call->requests, error);
    } else
        store_empty_status(call->statuses);
}

static void wait_for_all(const struct fake_call *call, int error)
{
    for (int i = 0; i < call->count; i++) {
        MPI_Status *status = call->statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &call->statuses[i];
        if (!is_active(call->requests[i])) {
            store_empty_status(status);
            continue;
        }
        int error_of_one = class_of(error) == MPI_ERR_IN_STATUS ? fake.statuses[i].MPI_ERROR : MPI_SUCCESS;
        store_status(status, &fake.statuses[i]);
        if (class_of(error) == MPI_ERR_IN_STATUS && status != MPI_STATUS_IGNORE)
            status->MPI_ERROR = error_of_one;
        if (class_of(error_of_one) != MPI_ERR_PENDING)
            complete(&call->requests[i], error_of_one);
    }
}

/* Completes up to `wanted` that are done; returns how many, or MPI_UNDEFINED where none is active. */
static int complete_some(const struct fake_call *call, int wanted, int error)
{
    int completed = 0;
    bool any = false;
    for (int i = 0; i < call->count && completed < wanted; i++) {
        any = any || is_active(call->requests[i]);
        if (!is_active(call->requests[i]) || !fake.done[i])
            continue;
        call->indices[completed] = i;
        if (call->statuses != MPI_STATUSES_IGNORE) {
            store_status(&call->statuses[completed], &fake.statuses[i]);
            if (class_of(error) == MPI_ERR_IN_STATUS)
                call->statuses[completed].MPI_ERROR = fake.statuses[i].MPI_ERROR;
        }
        complete(&call->requests[i], error);
        completed++;
    }
    return any ? completed : MPI_UNDEFINED;
}

static void complete_any(const struct fake_call *call, int error)
{
    int completed = complete_some(call, 1, error);
    if (call->flag != NULL)
        *call->flag = completed != 0;
    if (completed != 1)
        *call->indices = MPI_UNDEFINED;
    if (completed == MPI_UNDEFINED)
        store_empty_status(call->statuses);
}

static bool all_done(const struct fake_call *call)
{
    for (int i = 0; i < call->count; i++)
        if (is_active(call->requests[i]) && !fake.done[i])
            return false;
    return true;
}

static bool is(const struct fake_call *call, const char *kind)
{
    return strcmp(call->kind, kind) == 0;
}

static void perform_completion(const struct fake_call *call, int error)
{
    if (is(call, "wait"))
        wait_for_one(call, error);
    else if (is(call, "test")) {
        *call->flag = fake.flag || !is_active(*call->requests);
        if (*call->flag)
            wait_for_one(call, error);
    } else if (is(call, "waitall"))
        wait_for_all(call, error);
    else if (is(call, "testall")) {
        *call->flag = all_done(call);
        if (*call->flag)
            wait_for_all(call, error);
    } else if (is(call, "waitany") || is(call, "testany"))
        complete_any(call, error);
    else if (is(call, "waitsome") || is(call, "testsome"))
        *call->outcount = complete_some(call, call->count, error);
    else if (is(call, "request_get_status")) {
        bool is_complete = !is_active((MPI_Request)call->arguments[0]);
        *call->flag = fake.flag || is_complete;
        if (is_complete)
            store_empty_status(call->statuses);
        else
            store_status(call->statuses, &fake.status);
    }
}

static void perform_request(const struct fake_call *call, int error)
{
    if (is(call, "start") || is(call, "startall")) {
        int count = is(call, "start") ? 1 : call->count;
        for (int i = 0; i < (error == MPI_SUCCESS ? count : fake.started_before_error); i++)
            *activity(call->requests[i]) = true;
    } else if (is(call, "request_free"))
        *call->requests = MPI_REQUEST_NULL;
    else if (strstr(call->kind, "_persistent") != NULL || strncmp(call->kind, "partitioned_", 12) == 0) {
        if (error == MPI_SUCCESS)
            *call->requests = new_persistent_request();
    } else if (call->requests != NULL && error == MPI_SUCCESS && !is(call, "cancel"))
        *call->requests = new_request();
}

static void perform_message(const struct fake_call *call)
{
    if (is(call, "iprobe") || is(call, "improbe") || is(call, "window_test") || is(call, "parrived"))
        *call->flag = fake.flag;
    if (is(call, "probe") || is(call, "mprobe") || (call->flag != NULL && call->statuses != NULL && *call->flag) ||
        is(call, "receive") || is(call, "mrecv") || strncmp(call->kind, "sendrecv", 8) == 0)
        store_status(call->statuses, &fake.status);
    if (is(call, "mprobe") || (is(call, "improbe") && fake.flag))
        *call->message = fake.message;
    else if (call->message != NULL)
        *call->message = MPI_MESSAGE_NULL;
}

static void perform_object(const struct fake_call *call)
{
    static const struct {
        const char *kind;
        int null;
    } frees[] = {{"op_free", MPI_OP_NULL},
                 {"errhandler_free", MPI_ERRHANDLER_NULL},
                 {"info_free", MPI_INFO_NULL},
                 {"keyval_free", MPI_KEYVAL_INVALID}};
    int value = fake.object;
    if (strncmp(call->kind, "group", 5) == 0)
        __atomic_fetch_add(&fake.groups_open, value != MPI_GROUP_EMPTY, __ATOMIC_RELAXED);
    for (size_t i = 0; i < sizeof frees / sizeof frees[0]; i++)
        if (is(call, frees[i].kind))
            value = frees[i].null;
    *call->object = value;
}

static void perform(const struct fake_call *call, int error)
{
    bool completes =
        strncmp(call->kind, "wait", 4) == 0 || strncmp(call->kind, "test", 4) == 0 || is(call, "request_get_status");
    if (completes)
        perform_completion(call, error);
    else if (is(call, "init_thread"))
        *call->flag = fake.thread_level;
    else {
        perform_message(call);
        perform_request(call, error);
    }
    if (call->communicator != NULL)
        *call->communicator = is(call, "communicator_free") ? MPI_COMM_NULL : fake.communicator;
    if (call->object != NULL)
        perform_object(call);
    if (call->datatype != NULL)
        *call->datatype = is(call, "datatype_free") ? MPI_DATATYPE_NULL : fake.datatype;
    fake.type_frees += is(call, "datatype_free");
    if (is(call, "datatype_contents"))
        fake_give_contents(call);
    if (call->window != NULL)
        *call->window = is(call, "window_free") ? MPI_WIN_NULL : fake.window;
    if (call->base != NULL)
        *call->base = fake.base;
    if (call->file != NULL)
        *call->file = is(call, "file_close") ? MPI_FILE_NULL : fake.file;
}

int fake_mpi_call(struct fake_call *call)
{
    if (fake.handler != NULL)
        return fake.handler(call);
    fake.calls++;
    fake.last_name = call->name;
    for (size_t i = 0; i < call->argument_count; i++) {
        if (fake.no_world && (call->arguments[i] == MPI_COMM_WORLD || call->arguments[i] == MPI_COMM_SELF))
            abort();
        fake.last_arguments[i] = call->arguments[i];
    }
    int error = fake.error;
    bool early = fake.error_is_early;
    fake.error = MPI_SUCCESS;
    fake.error_is_early = false;
    void (*hook)(const struct fake_call *) = fake.hook;
    fake.hook = NULL;
    if (hook != NULL)
        hook(call);
    if (!early)
        perform(call, error);
    return error;
}

int FAKE_COMM_NULL_COPY_FN(MPI_Comm communicator, int keyval, void *state, void *in, void *out, int *flag)
{
    (void)communicator, (void)keyval, (void)state, (void)in, (void)out;
    *flag = 0;
    return MPI_SUCCESS;
}

int fake_library_sends(int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm), int peer, int tag)
{
    volatile int error = send(&fake, 1, MPI_INT, peer, tag, MPI_COMM_WORLD);
    return error;
}

int fake_library_duplicates(int (*duplicate)(MPI_Comm, MPI_Comm *), MPI_Comm communicator, MPI_Comm *ret_duplicate)
{
    volatile int error = duplicate(communicator, ret_duplicate);
    return error;
}
