/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Many threads make, use and free objects of every kind at the same time. Ends with an empty shadow state.
 */
#include "stress.h"

#include <pthread.h>
#include <string.h>

enum { ROUNDS = 600, HANDLES = 1 << 20 };

static unsigned handles_given;

/* A handle that no other live object has. */
static int new_handle(unsigned kind)
{
    unsigned number = __atomic_fetch_add(&handles_given, 1, __ATOMIC_RELAXED) % HANDLES;
    return (int)(0x80000000u | kind << 26 | (number + 16));
}

static bool is(const struct fake_call *call, const char *kind)
{
    return strcmp(call->kind, kind) == 0;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static int perform(const struct fake_call *call)
{
    bool frees = ends_with(call->kind, "_free") || is(call, "file_close");
    if (ends_with(call->kind, "_nonblocking"))
        *call->requests = new_handle(11);
    else if (is(call, "wait"))
        *call->requests = MPI_REQUEST_NULL;
    else if (is(call, "communicator"))
        *call->communicator = new_handle(1);
    else if (is(call, "communicator_free"))
        *call->communicator = MPI_COMM_NULL;
    else if (is(call, "op") || is(call, "info") || is(call, "errhandler") || is(call, "keyval"))
        *call->object = new_handle(5);
    else if (call->object != NULL && frees)
        *call->object = 0;
    else if (is(call, "datatype"))
        *call->datatype = new_handle(3);
    else if (is(call, "datatype_free"))
        *call->datatype = MPI_DATATYPE_NULL;
    else if (is(call, "window"))
        *call->window = new_handle(8);
    else if (is(call, "window_free"))
        *call->window = MPI_WIN_NULL;
    else if (is(call, "file_open"))
        *call->file = (MPI_File)(uintptr_t)(unsigned)new_handle(9);
    else if (is(call, "file_close"))
        *call->file = MPI_FILE_NULL;
    else if (is(call, "init_thread") && call->flag != NULL)
        *call->flag = MPI_THREAD_MULTIPLE;
    return MPI_SUCCESS;
}

static void wait_for(MPI_Request request)
{
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void collectives(MPI_Comm communicator)
{
    static int value;
    MPI_Request requests[2];
    MPI_Ibarrier(communicator, &requests[0]);
    MPI_Iallreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, communicator, &requests[1]);
    wait_for(requests[1]);
    wait_for(requests[0]);
}

static void small_objects(MPI_Comm communicator)
{
    MPI_Op op;
    MPI_Info info;
    MPI_Errhandler errhandler;
    MPI_Group group;
    int keyval;
    MPI_Op_create(NULL, 1, &op);
    MPI_Info_create(&info);
    MPI_Comm_create_errhandler(NULL, &errhandler);
    MPI_Comm_set_errhandler(communicator, errhandler);
    MPI_Errhandler_free(&errhandler);
    MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &group); /* the same for all threads */
    MPI_Comm_create_keyval(NULL, NULL, &keyval, NULL);
    int freed = keyval;
    MPI_Comm_set_attr(communicator, keyval, NULL);
    MPI_Comm_delete_attr(communicator, keyval);
    MPI_Comm_free_keyval(&freed);
    MPI_Group_free(&group);
    MPI_Info_free(&info);
    MPI_Op_free(&op);
}

static void window_and_file(MPI_Comm communicator)
{
    static char buffer[64];
    MPI_Win window;
    MPI_File file;
    MPI_Request request;
    MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, communicator, &window);
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
    MPI_Put(buffer, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    MPI_Rput(buffer, 1, MPI_INT, 1, 0, 1, MPI_INT, window, &request);
    wait_for(request);
    MPI_Win_unlock(1, window);
    MPI_Win_free(&window);
    MPI_File_open(communicator, "file", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_iwrite(file, buffer, 1, MPI_INT, &request);
    wait_for(request);
    MPI_File_close(&file);
}

static MPI_Datatype shared;

/* Derived datatypes whose components are freed before them; one component is of all threads. */
static void datatypes(void)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static char buffer[64];
    static const int lengths[] = {1, 2};
    static const MPI_Aint displacements[] = {0, 8};
    MPI_Datatype elements[2], datatype;
    pthread_mutex_lock(&mutex);
    if (!shared)
        MPI_Type_contiguous(3, MPI_INT, &shared);
    elements[0] = shared;
    pthread_mutex_unlock(&mutex);
    MPI_Type_vector(2, 1, 2, elements[0], &elements[1]);
    MPI_Type_create_struct(2, lengths, displacements, elements, &datatype);
    MPI_Type_free(&elements[1]);
    MPI_Send(buffer, 1, datatype, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Type_free(&datatype);
}

/* The entries of an info object go to communicators, windows and files. */
static void hints(MPI_Comm communicator)
{
    MPI_Info info;
    MPI_Comm other;
    MPI_Win window;
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Comm_dup_with_info(communicator, info, &other);
    MPI_Comm_set_info(MPI_COMM_WORLD, info); /* the same for all threads */
    MPI_Win_create(NULL, 0, 1, info, other, &window);
    MPI_Info_delete(info, "key");
    MPI_Win_set_info(window, info);
    MPI_Win_free(&window);
    MPI_Comm_free(&other);
    MPI_Info_free(&info);
}

static void work(unsigned number)
{
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Comm communicator;
        MPI_Comm_dup(communicators[number], &communicator);
        collectives(communicator);
        small_objects(communicator);
        window_and_file(communicator);
        datatypes();
        hints(communicator);
        MPI_Comm_free(&communicator);
    }
}

/* How many objects of a kind there have been; the record of the last is still there when it is freed. */
static uint32_t objects_made(enum mpilens_table_kind kind)
{
    const struct mpilens_info *record; /* as any: MPILENS_OBJECT_FIELDS */
    uint32_t made = 0;
    for (size_t i = 0; (record = shadow_record(kind, 0, i)); i++)
        if (record->serial > made)
            made = record->serial;
    return made;
}

int main(void)
{
    stress_begin(MPI_THREAD_MULTIPLE, perform);
    stress_run(work);
    MPI_Type_free(&shared);
    static const enum mpilens_table_kind kinds[] = {MPILENS_TABLE_COMMUNICATORS, MPILENS_TABLE_OPS,
                                                    MPILENS_TABLE_INFOS,         MPILENS_TABLE_KEYVALS,
                                                    MPILENS_TABLE_WINDOWS,       MPILENS_TABLE_FILES};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        stress_check(objects_made(kinds[i]) >= THREADS * ROUNDS, "every object is recorded");
    return stress_end(0);
}
