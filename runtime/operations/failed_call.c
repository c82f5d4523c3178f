/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes failed calls from what their threads have published, and keeps one record per place.
 */
#include "operations/operations.h"

#include "loader/loader.h"
#include "memory/memory.h"
#include "mpi/functions.h"
#include "mpi/mpi_traits.h"
#include "objects/objects.h"

#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct mpilens_failed_call *records[MPILENS_FIRST_FAILED_CALLS + MPILENS_LAST_FAILED_CALLS];
static size_t record_count;
static size_t next_shared; /* of the last ones, the one that the next new place gets */
static uint64_t failed_count;

/* In a child that was forked meanwhile nobody gives it back. */
static bool lock(void)
{
    enum { MOST_TRIES = 10000 };
    for (int i = 0; i < MOST_TRIES; i++) {
        if (pthread_mutex_trylock(&mutex) == 0)
            return true;
        sched_yield();
    }
    return false;
}

/* The call of this thread that was noted last: nobody notes it twice. */
struct noted {
    uint64_t entered;
    uint64_t site;
    uint64_t operations;
    uint32_t function; /* 0: none */
    struct mpilens_failed_call *record;
};
static __thread struct noted noted __attribute__((tls_model("initial-exec")));
static __thread bool asking __attribute__((tls_model("initial-exec")));

static struct noted current(const struct thread *thread)
{
    const struct mpilens_thread *published = &thread->published;
    return (struct noted){published->entered, published->site, published->operations, published->function, NULL};
}

static bool is_noted(const struct thread *thread)
{
    const struct noted now = current(thread);
    return noted.function != 0 && noted.function == now.function && noted.entered == now.entered &&
           noted.site == now.site && noted.operations == now.operations;
}

/* MPI's functions have other prefixes inside. */
static const char *without_prefix(const char *name)
{
    const char *underscore = strchr(name, '_');
    return underscore != NULL ? underscore + 1 : name;
}

/* Whether the function `name` of MPI is the one that the thread has called, and not one that MPI has called itself. */
static bool is_own_call(const struct thread *thread, const char *name)
{
    const char *called = mpilens__functions[thread->published.function].name;
    return name == NULL || strcmp(without_prefix(name), without_prefix(called)) == 0;
}

/* The site of a function that is not wrapped: the first return address on the stack that is not MPI's. */
static uint64_t site_on_stack(void)
{
    enum { MOST_FRAMES = 32 };
    void *frames[MOST_FRAMES];
    const int count = backtrace(frames, MOST_FRAMES);
    const uintptr_t own = caller_object(&mpilens_process);
    for (int i = 0; i < count; i++)
        if (caller_object(frames[i]) != own && caller_classify(frames[i]) == CALLER_APPLICATION)
            return (uint64_t)(uintptr_t)frames[i];
    return 0;
}

struct error_class {
    int error_class;
    const char *name;
};
#define CLASS(name)                                                                                                    \
    {                                                                                                                  \
        name, #name                                                                                                    \
    }
static const struct error_class classes[] = {
    CLASS(MPI_ERR_BUFFER),
    CLASS(MPI_ERR_COUNT),
    CLASS(MPI_ERR_TYPE),
    CLASS(MPI_ERR_TAG),
    CLASS(MPI_ERR_COMM),
    CLASS(MPI_ERR_RANK),
    CLASS(MPI_ERR_ROOT),
    CLASS(MPI_ERR_GROUP),
    CLASS(MPI_ERR_OP),
    CLASS(MPI_ERR_TOPOLOGY),
    CLASS(MPI_ERR_DIMS),
    CLASS(MPI_ERR_ARG),
    CLASS(MPI_ERR_UNKNOWN),
    CLASS(MPI_ERR_TRUNCATE),
    CLASS(MPI_ERR_OTHER),
    CLASS(MPI_ERR_INTERN),
    CLASS(MPI_ERR_IN_STATUS),
    CLASS(MPI_ERR_PENDING),
    CLASS(MPI_ERR_REQUEST),
    CLASS(MPI_ERR_ACCESS),
    CLASS(MPI_ERR_AMODE),
    CLASS(MPI_ERR_BAD_FILE),
    CLASS(MPI_ERR_CONVERSION),
    CLASS(MPI_ERR_DUP_DATAREP),
    CLASS(MPI_ERR_FILE_EXISTS),
    CLASS(MPI_ERR_FILE_IN_USE),
    CLASS(MPI_ERR_FILE),
    CLASS(MPI_ERR_INFO),
    CLASS(MPI_ERR_INFO_KEY),
    CLASS(MPI_ERR_INFO_VALUE),
    CLASS(MPI_ERR_INFO_NOKEY),
    CLASS(MPI_ERR_IO),
    CLASS(MPI_ERR_NAME),
    CLASS(MPI_ERR_NO_MEM),
    CLASS(MPI_ERR_NOT_SAME),
    CLASS(MPI_ERR_NO_SPACE),
    CLASS(MPI_ERR_NO_SUCH_FILE),
    CLASS(MPI_ERR_PORT),
    CLASS(MPI_ERR_QUOTA),
    CLASS(MPI_ERR_READ_ONLY),
    CLASS(MPI_ERR_SERVICE),
    CLASS(MPI_ERR_SPAWN),
    CLASS(MPI_ERR_UNSUPPORTED_DATAREP),
    CLASS(MPI_ERR_UNSUPPORTED_OPERATION),
    CLASS(MPI_ERR_WIN),
    CLASS(MPI_ERR_BASE),
    CLASS(MPI_ERR_LOCKTYPE),
    CLASS(MPI_ERR_KEYVAL),
    CLASS(MPI_ERR_RMA_CONFLICT),
    CLASS(MPI_ERR_RMA_SYNC),
    CLASS(MPI_ERR_SIZE),
    CLASS(MPI_ERR_DISP),
    CLASS(MPI_ERR_ASSERT),
    CLASS(MPI_ERR_RMA_RANGE),
    CLASS(MPI_ERR_RMA_ATTACH),
    CLASS(MPI_ERR_RMA_SHARED),
    CLASS(MPI_ERR_RMA_FLAVOR),
};

static void ask_for_text(struct mpilens_failed_call *call)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    int error_class = MPI_SUCCESS;
    asking = true;
    if (mpilens__asked.MPI_Error_class(call->error, &error_class) != MPI_SUCCESS)
        error_class = MPI_SUCCESS;
    if (error_class != MPI_SUCCESS && mpilens__asked.MPI_Error_string(call->error, text, &length) == MPI_SUCCESS)
        text_copy(call->text, sizeof call->text, text);
    asking = false;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (error_class != MPI_SUCCESS && classes[i].error_class == error_class)
            text_copy(call->error_class, sizeof call->error_class, classes[i].name);
}

static void describe_communicator(struct mpilens_failed_call *call, uint64_t address)
{
    const struct mpilens_communicator *communicator = (const struct mpilens_communicator *)(uintptr_t)address;
    if (communicator != NULL)
        call->communicator_id = communicator->unique_id;
}

static void describe_amount(struct mpilens_failed_call *call, int64_t count, uint64_t address)
{
    const struct mpilens_datatype *datatype = (const struct mpilens_datatype *)(uintptr_t)address;
    call->amount = count;
    if (datatype == NULL)
        return;
    text_copy(call->datatype, sizeof call->datatype, datatype->name);
    if (count >= 0 && datatype->size >= 0 && (datatype->size == 0 || count <= INT64_MAX / datatype->size))
        call->bytes = count * datatype->size;
}

static void describe_operation(struct mpilens_failed_call *call, const struct mpilens_operation *operation)
{
    call->operation = operation->flags;
    describe_communicator(call, operation->communicator);
    if (operation->function != call->function) {
        call->request_function = operation->function;
        call->request_site = operation->site;
    } else if (call->site == 0 || (mpilens__functions[call->function].call_class == MPILENS_CALL_POINT_TO_POINT)) {
        call->site = operation->site;
    }
    if (operation->flags & MPILENS_OPERATION_MESSAGE_CLASSES) {
        describe_amount(call, (int64_t)operation->count, operation->datatype);
        call->peer = operation->peer;
        call->tag = operation->tag;
        call->known = MPILENS_FAILED_HAS_PEER | MPILENS_FAILED_HAS_TAG;
        if (operation->flags & MPILENS_OPERATION_TRUNCATED)
            call->actual_bytes = (int64_t)operation->actual_bytes;
    } else if (operation->flags & MPILENS_OPERATION_COLLECTIVE) {
        call->collective = operation->collective;
        call->root = operation->root;
        call->known = operation->has_root ? MPILENS_FAILED_HAS_ROOT : 0;
    } else if (operation->flags & MPILENS_OPERATION_ONE_SIDED) {
        describe_amount(call, (int64_t)operation->count, operation->datatype);
        call->peer = operation->target;
        call->known = MPILENS_FAILED_HAS_PEER;
    }
}

/* A blocking one: it is the last on its communicator. */
static void describe_collective(struct mpilens_failed_call *call, const struct mpilens_communicator *communicator)
{
    if (communicator == NULL || communicator->collective_count == 0)
        return;
    const struct mpilens_collective *last =
        &communicator->recent_collectives[(communicator->collective_count - 1) % RECENT_COLLECTIVES];
    if (last->serial != communicator->collective_count || last->function != call->function)
        return;
    call->collective = last->serial;
    describe_amount(call, last->count, last->datatype);
    if (last->has_root) {
        call->root = last->root;
        call->known = MPILENS_FAILED_HAS_ROOT;
    }
}

static void describe_call(struct mpilens_failed_call *call, const struct thread *thread)
{
    const struct mpilens_thread *published = &thread->published;
    const struct mpilens_function *function = &mpilens__functions[published->function];
    call->function = published->function;
    call->thread = published->index + 1;
    call->site = published->site;
    call->entered = published->entered;
    call->operations = published->operations;
    text_copy(call->name, sizeof call->name, function->name);
    if (published->operation != 0) {
        describe_operation(call, (const struct mpilens_operation *)(uintptr_t)published->operation);
        return;
    }
    describe_communicator(call, published->communicator);
    switch (function->call_class) {
    case MPILENS_CALL_COLLECTIVE:
        describe_collective(call, (const struct mpilens_communicator *)(uintptr_t)published->communicator);
        break;
    case MPILENS_CALL_PROBE:
    case MPILENS_CALL_IPROBE:
        call->peer = published->peer;
        call->tag = published->tag;
        call->known = MPILENS_FAILED_HAS_PEER | MPILENS_FAILED_HAS_TAG;
        break;
    case MPILENS_CALL_ONE_SIDED:
    case MPILENS_CALL_SYNCHRONIZATION:
        call->peer = published->target;
        call->known = published->target != MPI_ANY_SOURCE ? MPILENS_FAILED_HAS_PEER : 0;
        break;
    default:
        break;
    }
}

static bool is_of_same_place(const struct mpilens_failed_call *left, const struct mpilens_failed_call *right)
{
    return left->state != 0 && left->site == right->site && strcmp(left->name, right->name) == 0 &&
           strcmp(left->error_class, right->error_class) == 0;
}

/* The record that the call gets, or NULL: there is no memory. The mutex is held. */
static struct mpilens_failed_call *place_of(const struct mpilens_failed_call *call)
{
    for (size_t i = 0; i < record_count; i++)
        if (is_of_same_place(records[i], call))
            return records[i];
    for (size_t i = 0; i < record_count; i++)
        if (records[i]->state == 0) {
            records[i]->count = 0;
            return records[i];
        }
    const size_t most = sizeof records / sizeof *records;
    if (record_count < most) {
        struct mpilens_failed_call *record = table_take_one(MPILENS_TABLE_FAILED_CALLS);
        if (record != NULL) {
            record->count = 0;
            records[record_count++] = record;
        }
        return record;
    }
    struct mpilens_failed_call *record = records[MPILENS_FIRST_FAILED_CALLS + next_shared];
    next_shared = (next_shared + 1) % MPILENS_LAST_FAILED_CALLS;
    record->count = 0;
    return record;
}

static struct mpilens_failed_call *keep(struct mpilens_failed_call *call)
{
    if (!lock())
        return NULL;
    struct mpilens_failed_call *record = place_of(call);
    if (record != NULL) {
        call->serial = ++failed_count;
        call->last_time = clock_ticks();
        call->first_time = record->count > 0 ? record->first_time : call->last_time;
        call->count = record->count + 1;
        __atomic_store_n(&record->state, 0, __ATOMIC_RELAXED);
        PUBLISH_BARRIER();
        call->state = 0;
        *record = *call;
        __atomic_store_n(&record->state, 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&mutex);
    black_box_note_modules();
    return record;
}

static struct mpilens_failed_call empty_call(int error)
{
    return (struct mpilens_failed_call){.error = error, .amount = -1, .bytes = -1, .actual_bytes = -1};
}

struct raised_call failed_call_raised(const char *name, int error)
{
    const int error_number = errno;
    if (asking)
        return (struct raised_call){.record = NULL};
    const struct thread *thread = thread_if_known();
    struct mpilens_failed_call call = empty_call(error);
    const bool is_in_call = thread != NULL && thread->published.function != 0;
    if (is_in_call) {
        describe_call(&call, thread);
    } else {
        char own_name[sizeof call.name] = "MPI_";
        strncat(own_name, without_prefix(name != NULL ? name : "?"), sizeof own_name - sizeof "MPI_");
        text_copy(call.name, sizeof call.name, own_name);
        call.site = site_on_stack();
    }
    ask_for_text(&call);
    struct mpilens_failed_call *record = keep(&call);
    if (is_in_call && is_own_call(thread, name)) {
        noted = current(thread);
        noted.record = record;
    }
    errno = error_number;
    return (struct raised_call){record, call.serial};
}

void failed_call_handled(struct raised_call raised, const char *name)
{
    const struct thread *thread = thread_if_known();
    if (raised.record == NULL || !lock())
        return;
    if (raised.record->serial == raised.serial) { /* else another call has its place */
        /* MPI has asked itself, and gets the answer. */
        if (thread != NULL && thread->published.function != 0 && !is_own_call(thread, name) &&
            --raised.record->count == 0)
            __atomic_store_n(&raised.record->state, 0, __ATOMIC_RELEASE);
        __atomic_store_n(&raised.record->outcome, MPILENS_FAILED_RETURNED, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&mutex);
}

/* How long the message was is known only now. */
static void note_bytes(const struct thread *thread)
{
    const struct mpilens_operation *operation = operation_at(thread->published.operation);
    if (noted.record != NULL && operation != NULL && (operation->flags & MPILENS_OPERATION_TRUNCATED))
        noted.record->actual_bytes = (int64_t)operation->actual_bytes;
}

void failed_call_returned(const struct thread *thread, int error)
{
    const int error_number = errno;
    if (asking || is_noted(thread)) {
        note_bytes(thread);
        noted.function = 0;
        return;
    }
    struct mpilens_failed_call call = empty_call(error);
    call.outcome = MPILENS_FAILED_RETURNED;
    describe_call(&call, thread);
    ask_for_text(&call);
    keep(&call);
    errno = error_number;
}

void failed_call_abort(int code)
{
    const struct thread *thread = thread_if_known();
    struct mpilens_failed_call call = empty_call(code);
    if (thread == NULL)
        return;
    describe_call(&call, thread);
    keep(&call);
}
