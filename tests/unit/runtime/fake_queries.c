/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fake MPI library's answers to what the runtime asks: ranks, groups, sizes, errors.
 */
#include "fake_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMMUNICATOR_CAPACITY = 256, FIRST_GROUP = 0x48000010 };

struct side {
    const int *ranks; /* NULL: 0, 1, ... */
    int count;
};

struct definition {
    MPI_Comm handle;
    struct side sides[2]; /* local, remote */
    bool inter;
};

static struct definition definitions[COMMUNICATOR_CAPACITY];
static int definition_count;

static int find(MPI_Comm handle)
{
    for (int i = definition_count; i-- > 0;)
        if (definitions[i].handle == handle)
            return i;
    return -1;
}

void fake_communicator_define(MPI_Comm handle, const int *ranks, int count, const int *remote, int remote_count)
{
    int index = find(handle);
    if (index < 0)
        index = definition_count++;
    definitions[index] = (struct definition){handle, {{ranks, count}, {remote, remote_count}}, remote != NULL};
}

/* Group handles: the place of the communicator and the side; -1: all of MPI_COMM_WORLD. */
static MPI_Group group_handle(int index, int side)
{
    return (MPI_Group)(0xc0000000u | FIRST_GROUP) + 2 * index + side;
}

static struct side side_of(MPI_Group group)
{
    int number = (int)((unsigned)group - (0xc0000000u | FIRST_GROUP));
    if (group == MPI_GROUP_EMPTY)
        return (struct side){NULL, 0};
    if (number < 0 || number >= 2 * definition_count)
        return (struct side){NULL, fake.size};
    return definitions[number / 2].sides[number % 2];
}

static int rank_at(struct side side, int place)
{
    return side.ranks != NULL ? side.ranks[place] : place;
}

static int own_rank(struct side side)
{
    if (side.ranks == NULL)
        return fake.rank < side.count ? fake.rank : MPI_UNDEFINED;
    for (int i = 0; i < side.count; i++)
        if (side.ranks[i] == fake.rank)
            return i;
    return MPI_UNDEFINED;
}

static void check_world(MPI_Comm communicator)
{
    if (fake.no_world && (communicator == MPI_COMM_WORLD || communicator == MPI_COMM_SELF))
        abort();
}

static struct side local_side(MPI_Comm communicator)
{
    check_world(communicator);
    static int self;
    int index = find(communicator);
    self = fake.rank;
    if (index >= 0)
        return definitions[index].sides[0];
    return communicator == MPI_COMM_SELF ? (struct side){&self, 1} : (struct side){NULL, fake.size};
}

/* Files are the only kind whose integers are not the handles. */
MPI_Fint PMPI_File_c2f(MPI_File file)
{
    return file == MPI_FILE_NULL ? 0 : fake_file_in_fortran(file);
}

int PMPI_Comm_rank(MPI_Comm communicator, int *ret_rank)
{
    *ret_rank = own_rank(local_side(communicator));
    return MPI_SUCCESS;
}

int PMPI_Comm_size(MPI_Comm communicator, int *ret_size)
{
    *ret_size = local_side(communicator).count;
    return MPI_SUCCESS;
}

int PMPI_Comm_test_inter(MPI_Comm communicator, int *ret_flag)
{
    int index = find(communicator);
    *ret_flag = index >= 0 && definitions[index].inter;
    return MPI_SUCCESS;
}

MPI_Group fake_group_of(MPI_Comm handle)
{
    return group_handle(find(handle), find(handle) < 0 ? 1 : 0);
}

static int take_group_error(void)
{
    return __atomic_exchange_n(&fake.group_error, MPI_SUCCESS, __ATOMIC_RELAXED);
}

int PMPI_Comm_group(MPI_Comm communicator, MPI_Group *ret_group)
{
    check_world(communicator);
    int error = take_group_error();
    if (error != MPI_SUCCESS)
        return error;
    int index = find(communicator);
    __atomic_fetch_add(&fake.groups_open, 1, __ATOMIC_RELAXED);
    *ret_group = group_handle(index, index < 0 ? 1 : 0);
    return MPI_SUCCESS;
}

int PMPI_Comm_remote_group(MPI_Comm communicator, MPI_Group *ret_group)
{
    __atomic_fetch_add(&fake.groups_open, 1, __ATOMIC_RELAXED);
    *ret_group = group_handle(find(communicator), 1);
    return MPI_SUCCESS;
}

const char *fake_process_set(int n)
{
    static char name[32];
    snprintf(name, sizeof name, "mpi://SET%d", n);
    return name;
}

int PMPI_Session_get_num_psets(MPI_Session session, MPI_Info info, int *ret_count)
{
    (void)session, (void)info;
    *ret_count = fake.process_sets;
    return MPI_SUCCESS;
}

int PMPI_Session_get_nth_pset(MPI_Session session, MPI_Info info, int n, int *length, char *ret_name)
{
    (void)session, (void)info;
    if (n < 0 || n >= fake.process_sets)
        abort();
    snprintf(ret_name, (size_t)*length, "%s", fake_process_set(n));
    return MPI_SUCCESS;
}

/* All process sets are the world. */
int PMPI_Group_from_session_pset(MPI_Session session, const char *name, MPI_Group *ret_group)
{
    (void)session;
    (void)name;
    __atomic_fetch_add(&fake.groups_open, 1, __ATOMIC_RELAXED);
    *ret_group = group_handle(-1, 1);
    return MPI_SUCCESS;
}

int PMPI_Group_free(MPI_Group *group)
{
    int error = take_group_error();
    if (error != MPI_SUCCESS && !fake.frees_despite_error)
        return error;
    if (*group != MPI_GROUP_EMPTY)
        __atomic_fetch_sub(&fake.groups_open, 1, __ATOMIC_RELAXED);
    *group = MPI_GROUP_NULL;
    return error;
}

int PMPI_Group_size(MPI_Group group, int *ret_size)
{
    *ret_size = side_of(group).count;
    return MPI_SUCCESS;
}

int PMPI_Group_rank(MPI_Group group, int *ret_rank)
{
    *ret_rank = own_rank(side_of(group));
    return MPI_SUCCESS;
}

int PMPI_Group_translate_ranks(MPI_Group from, int count, const int *ranks, MPI_Group to, int *ret_ranks)
{
    (void)to; /* always MPI_COMM_WORLD's */
    struct side side = side_of(from);
    for (int i = 0; i < count; i++) {
        int rank = rank_at(side, ranks[i]);
        ret_ranks[i] = rank >= 0 && rank < fake.size ? rank : MPI_UNDEFINED;
    }
    return MPI_SUCCESS;
}

static int get_attribute(void *ret_value, int *ret_found)
{
    __atomic_fetch_add(&fake.attribute_calls, 1, __ATOMIC_RELAXED);
    *ret_found = fake.attribute != NULL;
    if (fake.attribute != NULL)
        memcpy(ret_value, fake.attribute, sizeof *fake.attribute);
    return MPI_SUCCESS;
}

int PMPI_Comm_get_attr(MPI_Comm communicator, int keyval, void *ret_value, int *ret_found)
{
    (void)communicator;
    (void)keyval;
    return get_attribute(ret_value, ret_found);
}

int PMPI_Type_get_attr(MPI_Datatype datatype, int keyval, void *ret_value, int *ret_found)
{
    (void)datatype;
    (void)keyval;
    return get_attribute(ret_value, ret_found);
}

int PMPI_Error_string(int error, char *ret_text, int *ret_length)
{
    *ret_length = snprintf(ret_text, MPI_MAX_ERROR_STRING, "error %d in words", error & 0x7f);
    return MPI_SUCCESS;
}

int PMPI_Error_class(int error, int *ret_class)
{
    *ret_class = error & 0x7f;
    return MPI_SUCCESS;
}

int PMPI_Test_cancelled(const MPI_Status *status, int *ret_flag)
{
    *ret_flag = status->count_hi_and_cancelled & 1;
    return MPI_SUCCESS;
}

int PMPI_Info_get(MPI_Info info, const char *key, int length, char *ret_value, int *ret_flag)
{
    (void)info;
    (void)key;
    *ret_flag = fake.info_value != NULL;
    if (fake.info_value != NULL)
        strncpy(ret_value, fake.info_value, (size_t)length + 1);
    return MPI_SUCCESS;
}

int PMPI_Info_get_nkeys(MPI_Info info, int *ret_count)
{
    (void)info;
    fake.info_calls++;
    *ret_count = fake.info_keys;
    return MPI_SUCCESS;
}

int PMPI_Info_get_nthkey(MPI_Info info, int n, char *ret_key)
{
    (void)info;
    snprintf(ret_key, MPI_MAX_INFO_KEY, "key %d", n);
    return MPI_SUCCESS;
}

int PMPI_Query_thread(int *ret_provided)
{
    *ret_provided = fake.thread_level;
    return MPI_SUCCESS;
}

int PMPI_Get_library_version(char *ret_version, int *ret_length)
{
    static const char version[] = "fake MPI 1";
    memcpy(ret_version, version, sizeof version);
    *ret_length = sizeof version - 1;
    return MPI_SUCCESS;
}
