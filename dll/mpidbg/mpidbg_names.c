/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Predefined handles and their names. The interface has them in variables of the DLL, for one process at a time.
 */
#include "mpidbg/mpidbg_internal.h"

#include "facts/facts.h"
#include "replies/replies.h"
#include "target/target.h"

#include <string.h>

struct mpidbg_name_map_t *mpidbg_comm_name_map;
struct mpidbg_name_map_t *mpidbg_errhandler_name_map;
struct mpidbg_name_map_t *mpidbg_request_name_map;
struct mpidbg_name_map_t *mpidbg_status_name_map;
mqs_taddr_t mpidbg_predefined_comm_map[MPIDBG_COMM_MAX];
mqs_taddr_t mpidbg_predefined_errhandler_map[MPIDBG_ERRHANDLER_MAX];

static const mqs_process_info *latest; /* the process that was set up last ... */
static const mqs_process_info *owner;  /* ... when its names are known */
static const mqs_basic_callbacks *memory;

enum { MOST_NAMES = 8, NAME_BYTES = 64 };

/* A map with its texts, in one block. */
struct names {
    struct mpidbg_name_map_t map[MOST_NAMES + 1];
    char texts[MOST_NAMES][NAME_BYTES];
};

static void add_name(struct names *names, const char *name, mqs_taddr_t handle)
{
    int count = 0;
    while (names != NULL && names->map[count].map_name != NULL)
        count++;
    if (names == NULL || count == MOST_NAMES)
        return;
    text_set(names->texts[count], NAME_BYTES, name);
    names->map[count] = (struct mpidbg_name_map_t){names->texts[count], handle};
}

static struct names *new_map(struct mpidbg_name_map_t **ret_map)
{
    struct names *names = inquiry_allocate(1, sizeof *names);
    *ret_map = names != NULL ? names->map : NULL;
    return names;
}

static void drop_map(struct mpidbg_name_map_t **map)
{
    if (*map != NULL)
        memory->mqs_free_fp(*map);
    *map = NULL;
}

/* The null handle of this kind in C; false: not known. */
static bool null_handle_of(const mqs_process_info *info, int kind, mqs_taddr_t *ret_handle)
{
    const struct mpilens_process *root = &info->reading.root.process;
    if (kind == MPILENS_OBJECT_REQUEST) {
        *ret_handle = (mqs_taddr_t)root->request_null;
        return true;
    }
    if (!(root->known_nulls & 1u << kind))
        return false;
    *ret_handle = (mqs_taddr_t)root->null_handles[kind];
    return true;
}

static void add_null(const mqs_process_info *info, int kind, const char *name, struct names *names,
                     mqs_taddr_t *ret_handle)
{
    mqs_taddr_t handle = 0;
    if (!null_handle_of(info, kind, &handle))
        return;
    add_name(names, name, handle);
    if (ret_handle != NULL)
        *ret_handle = handle;
}

static void learn_communicators(mqs_process_info *info)
{
    struct names *names = new_map(&mpidbg_comm_name_map);
    add_null(info, MPILENS_OBJECT_COMMUNICATOR, "MPI_COMM_NULL", names, &mpidbg_predefined_comm_map[MPIDBG_COMM_NULL]);
    mpidbg_predefined_comm_map[MPIDBG_COMM_PARENT] = mpidbg_predefined_comm_map[MPIDBG_COMM_NULL];
    struct mpilens_object_information object = {.struct_size = sizeof object};
    if (reply_setup_object_iterator(info, MPILENS_OBJECT_COMMUNICATOR) != mqs_ok)
        return;
    while (reply_next_object(info, &object) == mqs_ok) {
        const mqs_taddr_t handle = (mqs_taddr_t)object.handle;
        if (object.purpose == MPILENS_PURPOSE_GET_PARENT && !object.freed)
            mpidbg_predefined_comm_map[MPIDBG_COMM_PARENT] = handle;
        if (!object.predefined)
            continue;
        add_name(names, object.name, handle);
        if (strcmp(object.name, "MPI_COMM_WORLD") == 0)
            mpidbg_predefined_comm_map[MPIDBG_COMM_WORLD] = handle;
        if (strcmp(object.name, "MPI_COMM_SELF") == 0)
            mpidbg_predefined_comm_map[MPIDBG_COMM_SELF] = handle;
    }
}

static void learn_errhandlers(mqs_process_info *info)
{
    struct names *names = new_map(&mpidbg_errhandler_name_map);
    add_null(info, MPILENS_OBJECT_ERRHANDLER, "MPI_ERRHANDLER_NULL", names,
             &mpidbg_predefined_errhandler_map[MPIDBG_ERRHANDLER_NULL]);
    struct mpilens_object_information object = {.struct_size = sizeof object};
    if (reply_setup_object_iterator(info, MPILENS_OBJECT_ERRHANDLER) != mqs_ok)
        return;
    while (reply_next_object(info, &object) == mqs_ok) {
        const mqs_taddr_t handle = (mqs_taddr_t)object.handle;
        if (!object.predefined)
            continue;
        add_name(names, object.name, handle);
        if (strcmp(object.name, "MPI_ERRORS_ARE_FATAL") == 0)
            mpidbg_predefined_errhandler_map[MPIDBG_ERRHANDLER_ARE_FATAL] = handle;
        if (strcmp(object.name, "MPI_ERRORS_RETURN") == 0)
            mpidbg_predefined_errhandler_map[MPIDBG_ERRHANDLER_RETURN] = handle;
    }
}

static void forget(void)
{
    drop_map(&mpidbg_comm_name_map);
    drop_map(&mpidbg_errhandler_name_map);
    drop_map(&mpidbg_request_name_map);
    drop_map(&mpidbg_status_name_map);
    memset(mpidbg_predefined_comm_map, 0, sizeof mpidbg_predefined_comm_map);
    memset(mpidbg_predefined_errhandler_map, 0, sizeof mpidbg_predefined_errhandler_map);
    owner = NULL;
}

/* A debugger may keep the addresses of maps: they are not made again while the process has them. */
void inquiry_learn_names(mqs_process_info *info)
{
    const uint32_t state = info->reading.root.process.state;
    if (info != latest || owner == latest || state == MPILENS_PROCESS_UNUSED || state == MPILENS_PROCESS_INITIALIZING)
        return;
    owner = info;
    memory = basic_callbacks();
    learn_communicators(info);
    learn_errhandlers(info);
    struct names *names = new_map(&mpidbg_request_name_map);
    add_null(info, MPILENS_OBJECT_REQUEST, "MPI_REQUEST_NULL", names, NULL);
    names = new_map(&mpidbg_status_name_map);
    add_name(names, "MPI_STATUS_IGNORE", (mqs_taddr_t)info->reading.root.process.status_ignore);
    add_name(names, "MPI_STATUSES_IGNORE", (mqs_taddr_t)info->reading.root.process.statuses_ignore);
}

void inquiry_want_names(const mqs_process_info *info)
{
    forget();
    latest = info;
}

void inquiry_forget_names(const mqs_process_info *info)
{
    if (latest == info)
        inquiry_want_names(NULL);
}
