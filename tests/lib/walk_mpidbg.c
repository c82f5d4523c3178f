/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The walk through mpidbg.h.
 */
#include "walk_mpidbg.h"

#include "mpilens/mpidbg.h"

#include <string.h>

struct walker {
    struct fake_debugger *debugger;
    struct walk_mpidbg_result result;
    uint64_t sum; /* of all bytes that answers have */
};

#define CONTEXT(walker)                                                                                                \
    fake_image((walker)->debugger), (walker)->debugger->image_info, fake_process((walker)->debugger),                  \
        (walker)->debugger->process_info

static void expect(struct walker *walker, bool condition)
{
    if (!condition)
        walker->result.wrong++;
}

static bool succeeded(struct walker *walker, int result)
{
    expect(walker, result >= MPIDBG_SUCCESS && result < MPIDBG_MAX_RETURN_CODE && result != MPIDBG_ERR_OUT_OF_RANGE);
    walker->result.found += result == MPIDBG_SUCCESS;
    return result == MPIDBG_SUCCESS;
}

/* Every byte is there. */
static void look(struct walker *walker, const void *memory, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        walker->sum += ((const uint8_t *)memory)[i];
}

static void look_at_array(struct walker *walker, int count, const void *items, size_t item_bytes)
{
    expect(walker, count >= 0 && (count > 0) == (items != NULL));
    if (items != NULL && count > 0)
        look(walker, items, (size_t)count * item_bytes);
}

#define LOOK_AT_ARRAY(walker, count, items) look_at_array(walker, count, items, sizeof(*(items)))

static void give_back(struct walker *walker, void *memory)
{
    if (memory != NULL)
        walker->debugger->basic.mqs_free_fp(memory);
}

static void look_at_text(struct walker *walker, const char *text)
{
    expect(walker, text != NULL);
    if (text != NULL)
        walker->sum += strlen(text);
}

static void look_at_object(struct walker *walker, const struct mpidbg_object_info_t *object)
{
    look_at_text(walker, object->oi_name);
    look_at_text(walker, object->oi_function);
    look_at_text(walker, object->oi_freed_by);
    LOOK_AT_ARRAY(walker, object->oi_num_users, object->oi_users);
    for (int i = 0; i < object->oi_num_users; i++)
        look_at_text(walker, object->oi_users[i].ref_name);
}

static void look_at_pairs(struct walker *walker, int count, const struct mpidbg_key_value_t *pairs)
{
    for (int i = 0; i < count; i++) {
        look_at_text(walker, pairs[i].key);
        look_at_text(walker, pairs[i].value);
    }
}

/* The struct of 2007, freed piece by piece. */
static void walk_comm_2007(struct walker *walker, mqs_taddr_t value)
{
    struct mpidbg_comm_info_t *info;
    if (!succeeded(walker, mpidbg_comm_query(CONTEXT(walker), value, &info)))
        return;
    expect(walker, memchr(info->comm_name, '\0', sizeof info->comm_name) != NULL);
    LOOK_AT_ARRAY(walker, info->comm_num_local_procs, info->comm_local_procs);
    LOOK_AT_ARRAY(walker, info->comm_num_remote_procs, info->comm_remote_procs);
    LOOK_AT_ARRAY(walker, info->comm_cart_num_dims, info->comm_cart_dims);
    LOOK_AT_ARRAY(walker, info->comm_cart_num_dims, info->comm_cart_periods);
    LOOK_AT_ARRAY(walker, info->comm_graph_num_nodes, info->comm_graph_index);
    LOOK_AT_ARRAY(walker, info->comm_num_attrs, info->comm_attrs);
    LOOK_AT_ARRAY(walker, info->comm_num_pending_requests, info->comm_pending_requests);
    LOOK_AT_ARRAY(walker, info->comm_num_derived_windows, info->comm_derived_windows);
    LOOK_AT_ARRAY(walker, info->comm_num_derived_files, info->comm_derived_files);
    if (info->comm_graph_index != NULL && info->comm_graph_edges != NULL)
        LOOK_AT_ARRAY(walker, info->comm_graph_index[info->comm_graph_num_nodes - 1], info->comm_graph_edges);
    for (int i = 0; i < info->comm_num_attrs; i++)
        look_at_text(walker, info->comm_attrs[i].value);
    void *const pieces[] = {info->comm_local_procs,
                            info->comm_remote_procs,
                            info->comm_cart_dims,
                            info->comm_cart_periods,
                            info->comm_graph_index,
                            info->comm_graph_edges,
                            info->comm_attrs,
                            info->comm_pending_requests,
                            info->comm_derived_windows,
                            info->comm_derived_files,
                            info};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
        give_back(walker, pieces[i]);
}

/* The handle of 2009. */
static void walk_comm_2009(struct walker *walker, mqs_taddr_t value)
{
    struct mpidbg_comm_info_t *info;
    char name[MPIDBG_MAX_OBJECT_NAME];
    enum mpidbg_comm_info_bitmap_t flags;
    int numbers[3];
    int counts[2];
    mqs_taddr_t address;
    struct mpidbg_process_t *processes[2];
    int *values[2];
    struct mpidbg_attribute_pair_t *pairs;
    mqs_taddr_t *handles[2];
    if (!succeeded(walker, mpidbg_comm_query(CONTEXT(walker), value, &info)))
        return;
    struct mpidbg_comm_handle_t *handle = (struct mpidbg_comm_handle_t *)(void *)info;
    if (succeeded(walker,
                  mpidbg_comm_query_basic(handle, name, &flags, &numbers[0], &numbers[1], &numbers[2], &address)))
        expect(walker, memchr(name, '\0', sizeof name) != NULL);
    if (succeeded(walker, mpidbg_comm_query_procs(handle, &counts[0], &processes[0], &counts[1], &processes[1])))
        for (int i = 0; i < 2; i++) {
            LOOK_AT_ARRAY(walker, counts[i], processes[i]);
            give_back(walker, processes[i]);
        }
    if (succeeded(walker, mpidbg_comm_query_topo(handle, &counts[0], &values[0], &values[1]))) {
        LOOK_AT_ARRAY(walker, counts[0], values[0]);
        give_back(walker, values[0]);
        give_back(walker, values[1]);
    }
    if (succeeded(walker,
                  mpidbg_comm_query_attrs(handle, &counts[0], (struct mpidbg_attribute_pair_t *)(void *)&pairs))) {
        LOOK_AT_ARRAY(walker, counts[0], pairs);
        give_back(walker, pairs);
    }
    if (succeeded(walker, mpidbg_comm_query_requests(handle, &counts[0], &handles[0]))) {
        LOOK_AT_ARRAY(walker, counts[0], handles[0]);
        give_back(walker, handles[0]);
    }
    if (succeeded(walker, mpidbg_comm_query_derived(handle, &counts[0], &handles[0], &counts[1], &handles[1])))
        for (int i = 0; i < 2; i++) {
            LOOK_AT_ARRAY(walker, counts[i], handles[i]);
            give_back(walker, handles[i]);
        }
    expect(walker, mpidbg_comm_handle_free(handle) == MPIDBG_SUCCESS);
}

static void walk_errhandler(struct walker *walker, mqs_taddr_t value)
{
    struct mpidbg_errhandler_info_t *info;
    char name[MPIDBG_MAX_OBJECT_NAME];
    enum mpidbg_errhandler_info_bitmap_t flags;
    int numbers[2];
    mqs_taddr_t addresses[2];
    mqs_taddr_t *handles;
    if (!succeeded(walker, mpidbg_errhandler_query(CONTEXT(walker), value, &info)))
        return;
    LOOK_AT_ARRAY(walker, info->eh_refcount, info->eh_handles);
    struct mpidbg_errhandler_handle_t *handle = (struct mpidbg_errhandler_handle_t *)(void *)info;
    if (succeeded(walker, mpidbg_errhandler_query_basic(handle, name, &flags, &numbers[0], &addresses[0])))
        expect(walker, memchr(name, '\0', sizeof name) != NULL);
    if (succeeded(walker, mpidbg_errhandler_query_handles(handle, &numbers[0], &handles))) {
        LOOK_AT_ARRAY(walker, numbers[0], handles);
        give_back(walker, handles);
    }
    succeeded(walker, mpidbg_errhandler_query_callback(handle, &addresses[1]));
    expect(walker, mpidbg_errhandler_handle_free(handle) == MPIDBG_SUCCESS);
}

static void walk_request_and_status(struct walker *walker, const uint64_t *values)
{
    struct mpidbg_request_info_t *request;
    struct mpidbg_status_info_t *status;
    if (succeeded(walker, mpidbg_request_query(CONTEXT(walker), values[MPILENS_OBJECT_REQUEST], &request)))
        mpidbg_request_handle_free((struct mpidbg_request_handle_t *)(void *)request);
    if (succeeded(walker, mpidbg_status_query(CONTEXT(walker), values[MPILENS_OBJECT_STATUS], &status)))
        mpidbg_status_handle_free((struct mpidbg_status_handle_t *)(void *)status);
}

static void look_at_datatype(struct walker *walker, const struct mpidbg_datatype_info_t *info)
{
    LOOK_AT_ARRAY(walker, info->dt_num_datatypes, info->dt_datatypes);
    for (int i = 0; i < info->dt_map_length; i++)
        look_at_text(walker, info->dt_map[i].basic);
}

static void look_at_window(struct walker *walker, const struct mpidbg_window_info_t *info)
{
    LOOK_AT_ARRAY(walker, info->win_num_locks, info->win_locks);
    LOOK_AT_ARRAY(walker, info->win_num_access_procs, info->win_access_procs);
    LOOK_AT_ARRAY(walker, info->win_num_exposure_procs, info->win_exposure_procs);
    look_at_pairs(walker, info->win_num_hints, info->win_hints);
}

static void look_at_details(struct walker *walker, const struct mpidbg_comm_details_t *details)
{
    LOOK_AT_ARRAY(walker, details->comm_num_cart_coordinates, details->comm_cart_coordinates);
    LOOK_AT_ARRAY(walker, details->comm_num_sources, details->comm_sources);
    LOOK_AT_ARRAY(walker, details->comm_num_destinations, details->comm_destinations);
    look_at_pairs(walker, details->comm_num_hints, details->comm_hints);
}

static void look_at_process_sets(struct walker *walker, const struct mpidbg_session_info_t *info)
{
    for (int i = 0; i < info->session_num_process_sets; i++)
        look_at_text(walker, info->session_process_sets[i]);
}

/* One query, what is looked at of its answer, and freeing. */
#define WALK(query, kind, type, member, free, more)                                                                    \
    do {                                                                                                               \
        struct type *info;                                                                                             \
        if (succeeded(walker, query(CONTEXT(walker), values[MPILENS_OBJECT_##kind], &info))) {                         \
            look_at_object(walker, &info->member);                                                                     \
            more;                                                                                                      \
            expect(walker, free(info) == MPIDBG_SUCCESS);                                                              \
        }                                                                                                              \
    } while (0)

static void walk_details(struct walker *walker, const uint64_t *values)
{
    struct mpidbg_status_details_t *status;
    WALK(mpidbg_comm_query_details, COMMUNICATOR, mpidbg_comm_details_t, comm_object, mpidbg_comm_details_free,
         look_at_details(walker, info));
    WALK(mpidbg_errhandler_query_details, ERRHANDLER, mpidbg_errhandler_details_t, eh_object,
         mpidbg_errhandler_details_free, );
    WALK(mpidbg_request_query_details, REQUEST, mpidbg_request_details_t, req_object, mpidbg_request_details_free,
         look_at_text(walker, info->req_datatype));
    if (succeeded(walker, mpidbg_status_query_details(CONTEXT(walker), values[MPILENS_OBJECT_STATUS], &status)))
        expect(walker, mpidbg_status_details_free(status) == MPIDBG_SUCCESS);
}

/* The kinds that mpidbg_objects.h adds. */
static void walk_others(struct walker *walker, const uint64_t *values)
{
    WALK(mpidbg_datatype_query, DATATYPE, mpidbg_datatype_info_t, dt_object, mpidbg_datatype_handle_free,
         look_at_datatype(walker, info));
    WALK(mpidbg_file_query, FILE, mpidbg_file_info_t, file_object, mpidbg_file_handle_free,
         look_at_pairs(walker, info->file_num_hints, info->file_hints));
    WALK(mpidbg_group_query, GROUP, mpidbg_group_info_t, group_object, mpidbg_group_handle_free,
         LOOK_AT_ARRAY(walker, info->group_num_procs, info->group_procs));
    WALK(mpidbg_info_query, INFO, mpidbg_info_info_t, info_object, mpidbg_info_handle_free,
         look_at_pairs(walker, info->info_num_pairs, info->info_pairs));
    WALK(mpidbg_op_query, OP, mpidbg_op_info_t, op_object, mpidbg_op_handle_free, );
    WALK(mpidbg_window_query, WINDOW, mpidbg_window_info_t, win_object, mpidbg_window_handle_free,
         look_at_window(walker, info));
    WALK(mpidbg_session_query, SESSION, mpidbg_session_info_t, session_object, mpidbg_session_handle_free,
         look_at_process_sets(walker, info));
    WALK(mpidbg_message_query, MESSAGE, mpidbg_message_info_t, message_object, mpidbg_message_handle_free, );
    WALK(mpidbg_keyval_query, KEYVAL, mpidbg_keyval_info_t, keyval_object, mpidbg_keyval_handle_free, );
}

typedef int convert_function(MPIDBG_CONTEXT, mqs_taddr_t, mqs_taddr_t *);

static const struct {
    int kind;
    convert_function *from_fortran;
    convert_function *from_cxx; /* NULL: none, or with one more argument */
} conversions[] = {
    {MPILENS_OBJECT_COMMUNICATOR, mpidbg_comm_f2c, NULL},
    {MPILENS_OBJECT_GROUP, mpidbg_group_f2c, mpidbg_group_cxx2c},
    {MPILENS_OBJECT_DATATYPE, mpidbg_datatype_f2c, mpidbg_datatype_cxx2c},
    {MPILENS_OBJECT_OP, mpidbg_op_f2c, mpidbg_op_cxx2c},
    {MPILENS_OBJECT_ERRHANDLER, mpidbg_errhandler_f2c, mpidbg_errhandler_cxx2c},
    {MPILENS_OBJECT_INFO, mpidbg_info_f2c, mpidbg_info_cxx2c},
    {MPILENS_OBJECT_SESSION, mpidbg_session_f2c, NULL},
    {MPILENS_OBJECT_WINDOW, mpidbg_window_f2c, mpidbg_window_cxx2c},
    {MPILENS_OBJECT_FILE, mpidbg_file_f2c, mpidbg_file_cxx2c},
    {MPILENS_OBJECT_MESSAGE, mpidbg_message_f2c, NULL},
    {MPILENS_OBJECT_REQUEST, mpidbg_request_f2c, NULL},
    {MPILENS_OBJECT_STATUS, mpidbg_status_f2c, mpidbg_status_cxx2c},
};

static void convert(struct walker *walker, const uint64_t *values, uint64_t object)
{
    mqs_taddr_t handle;
    for (size_t i = 0; i < sizeof conversions / sizeof conversions[0]; i++) {
        succeeded(walker, conversions[i].from_fortran(CONTEXT(walker), values[conversions[i].kind], &handle));
        if (conversions[i].from_cxx != NULL)
            succeeded(walker, conversions[i].from_cxx(CONTEXT(walker), object, &handle));
    }
    succeeded(walker, mpidbg_comm_cxx2c(CONTEXT(walker), object, MPIDBG_COMM_INFO_PREDEFINED, &handle));
    succeeded(walker, mpidbg_request_cxx2c(CONTEXT(walker), object, MPIDBG_REQUEST_INFO_PREDEFINED, &handle));
}

struct walk_mpidbg_result walk_mpidbg(struct fake_debugger *debugger, const uint64_t *values, uint64_t object)
{
    struct walker walker = {.debugger = debugger};
    struct mpidbg_handle_info_t types;
    if (!succeeded(&walker, mpidbg_init_once(&debugger->basic)) ||
        !succeeded(&walker, mpidbg_init_per_image(fake_image(debugger), &debugger->image, &types)))
        return walker.result;
    if (succeeded(&walker, mpidbg_init_per_process(fake_process(debugger), &debugger->process, &types))) {
        walk_comm_2007(&walker, values[MPILENS_OBJECT_COMMUNICATOR]);
        walk_comm_2009(&walker, values[MPILENS_OBJECT_COMMUNICATOR]);
        walk_errhandler(&walker, values[MPILENS_OBJECT_ERRHANDLER]);
        walk_request_and_status(&walker, values);
        walk_details(&walker, values);
        walk_others(&walker, values);
        convert(&walker, values, object);
        mpidbg_finalize_per_process(fake_process(debugger), debugger->process_info);
    }
    mpidbg_finalize_per_image(fake_image(debugger), debugger->image_info);
    debugger->process_info = NULL;
    debugger->image_info = NULL;
    return walker.result;
}
