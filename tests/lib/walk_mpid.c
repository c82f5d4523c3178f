/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The walk through mpid.h.
 */
#include "walk_mpid.h"

#include <string.h>

struct walker {
    mpid_process_handle_t *process;
    struct walk_mpid_result result;
};

static void expect(struct walker *walker, bool condition)
{
    if (!condition)
        walker->result.wrong++;
}

/* Whether it succeeded; any result of the list may come but those that are the caller's fault. */
static bool succeeded(struct walker *walker, int result)
{
    expect(walker, result >= mpid_rc_ok && result <= mpid_rc_incomplete && result != mpid_rc_bad_input &&
                       result != mpid_rc_unsupported);
    walker->result.answers += result == mpid_rc_ok;
    return result == mpid_rc_ok;
}

static void take_text(struct walker *walker, const char *text, bool may_be_none)
{
    expect(walker, text != NULL ? strlen(text) < 4096 : may_be_none);
    mpid_debugger_free(text);
}

static void take_list(struct walker *walker, int64_t count, const void *items)
{
    expect(walker, count >= 0 && (count == 0) == (items == NULL));
    mpid_debugger_free(items);
}

static void take_pairs(struct walker *walker, int count, mpid_keyvalue_pair_t *pairs)
{
    for (int i = 0; i < count; i++) {
        take_text(walker, pairs[i].key_name, false);
        take_text(walker, pairs[i].value, false);
    }
    take_list(walker, count, pairs);
}

static void walk_any(struct walker *walker, void *handle)
{
    int kind;
    int has_fortran;
    int fortran;
    mpid_address_t value;
    mpid_address_t sites[2];
    char *functions[2];
    mpid_reference_t *users;
    int count;
    succeeded(walker, mpid_handle_query_value(handle, &kind, &value, &has_fortran, &fortran));
    if (succeeded(walker, mpid_handle_query_origin(handle, &functions[0], &sites[0], &functions[1], &sites[1]))) {
        take_text(walker, functions[0], true);
        take_text(walker, functions[1], true);
    }
    if (kind != MPILENS_OBJECT_REQUEST && succeeded(walker, mpid_handle_query_users(handle, &count, &users))) {
        for (int i = 0; i < count; i++)
            take_text(walker, users[i].name, true);
        take_list(walker, count, users);
    }
}

static void walk_comm_lists(struct walker *walker, mpid_comm_handle_t *comm)
{
    int counts[3];
    mpid_process_t *processes[2];
    int *values[3];
    mpid_attribute_pair_t *attributes;
    mpid_address_t *handles[2];
    if (succeeded(walker, mpid_comm_query_procs(comm, &counts[0], &processes[0], &counts[1], &processes[1]))) {
        take_list(walker, counts[0], processes[0]);
        take_list(walker, counts[1], processes[1]);
    }
    if (succeeded(walker,
                  mpid_comm_query_topo(comm, &counts[0], &values[0], &counts[1], &values[1], &counts[2], &values[2])))
        for (int i = 0; i < 3; i++)
            take_list(walker, counts[i], values[i]);
    if (succeeded(walker, mpid_comm_query_attrs(comm, &counts[0], &attributes))) {
        for (int i = 0; i < counts[0]; i++)
            take_text(walker, attributes[i].keyval_name, true);
        take_list(walker, counts[0], attributes);
    }
    if (succeeded(walker, mpid_comm_query_requests(comm, &counts[0], &handles[0])))
        take_list(walker, counts[0], handles[0]);
    if (succeeded(walker, mpid_comm_query_derived(comm, &counts[0], &handles[0], &counts[1], &handles[1]))) {
        take_list(walker, counts[0], handles[0]);
        take_list(walker, counts[1], handles[1]);
    }
}

static void walk_group(struct walker *walker, void *group)
{
    char *name;
    int flags;
    int rank;
    int size;
    int fortran;
    mpid_process_t *processes;
    if (succeeded(walker, mpid_group_query_basic(group, &name, &flags, &rank, &size, &fortran)))
        take_text(walker, name, false);
    if (succeeded(walker, mpid_group_query_procs(group, &size, &processes)))
        take_list(walker, size, processes);
}

static void walk_comm(struct walker *walker, void *comm)
{
    char *name;
    enum mpid_comm_info_bitmap_t flags;
    int rank;
    int size;
    int fortran;
    mpid_address_t cxx;
    mpid_keyvalue_pair_t *extra;
    mpid_group_handle_t *groups[2];
    mpid_errhandler_handle_t *errhandler;
    mpid_session_handle_t *session;
    if (succeeded(walker, mpid_comm_query_basic(comm, &name, &flags, &rank, &size, &fortran, &cxx, &extra))) {
        int count = 0;
        while (extra[count].key_name != NULL)
            count++;
        take_text(walker, name, false);
        for (int i = 0; i < count; i++) {
            take_text(walker, extra[i].key_name, false);
            take_text(walker, extra[i].value, false);
        }
        mpid_debugger_free(extra);
    }
    walk_comm_lists(walker, comm);
    if (succeeded(walker, mpid_comm_query_groups(comm, &groups[0], &groups[1]))) {
        walk_group(walker, groups[0]);
        mpid_group_handle_free(groups[0]);
        mpid_group_handle_free(groups[1]);
    }
    if (succeeded(walker, mpid_comm_query_errhandler(comm, &errhandler)))
        mpid_errhandler_handle_free(errhandler);
    if (succeeded(walker, mpid_comm_query_session(comm, &session)))
        mpid_session_handle_free(session);
}

static void walk_type_map(struct walker *walker, mpid_type_handle_t *type)
{
    mpid_type_map_entry_t *entries;
    int64_t count;
    int complete;
    if (!succeeded(walker, mpid_type_query_map(type, 20, &count, &entries, &complete)))
        return;
    expect(walker, count <= 20);
    for (int64_t i = 0; i < count; i++)
        take_text(walker, entries[i].basic, false);
    take_list(walker, count, entries);
}

static void walk_type(struct walker *walker, void *type)
{
    char *text;
    enum mpid_type_info_bitmap_t flags;
    int64_t numbers[4];
    int64_t counts[3];
    int64_t *values[2];
    mpid_type_handle_t **types;
    if (succeeded(walker,
                  mpid_type_query_basic(type, &text, &flags, &numbers[0], &numbers[1], &numbers[2], &numbers[3])))
        take_text(walker, text, false);
    if (!succeeded(walker, mpid_type_query_envelope(type, &text, &counts[0], &counts[1], &counts[2])))
        return;
    take_text(walker, text, false);
    if (succeeded(walker, mpid_type_query_contents(type, &values[0], &values[1], &types))) {
        take_list(walker, counts[0], values[0]);
        take_list(walker, counts[1], values[1]);
        for (int64_t i = 0; i < counts[2]; i++)
            mpid_type_handle_free(types[i]);
        take_list(walker, counts[2], types);
    }
    walk_type_map(walker, type);
}

static void walk_op(struct walker *walker, void *op)
{
    char *name;
    int numbers[3];
    mpid_address_t function;
    if (succeeded(walker, mpid_op_query_basic(op, &name, &numbers[0], &function, &numbers[1], &numbers[2])))
        take_text(walker, name, false);
}

static void walk_errhandler(struct walker *walker, void *errhandler)
{
    char *name;
    int numbers[2];
    mpid_address_t function;
    if (succeeded(walker, mpid_errhandler_query_basic(errhandler, &name, &numbers[0], &function, &numbers[1])))
        take_text(walker, name, false);
}

static void walk_info(struct walker *walker, void *info)
{
    char *name;
    int numbers[2];
    mpid_keyvalue_pair_t *pairs;
    if (succeeded(walker, mpid_info_query_basic(info, &name, &numbers[0], &numbers[1])))
        take_text(walker, name, false);
    if (succeeded(walker, mpid_info_query_entries(info, &numbers[0], &pairs)))
        take_pairs(walker, numbers[0], pairs);
}

static void walk_win(struct walker *walker, void *win)
{
    char *texts[3];
    int numbers[3];
    int *ranks;
    mpid_address_t base;
    mpid_size_t size;
    mpid_keyvalue_pair_t *pairs;
    mpid_comm_handle_t *comm;
    mpid_session_handle_t *session;
    if (succeeded(walker, mpid_win_query_basic(win, &texts[0], &numbers[0], &base, &size, &numbers[1], &numbers[2])))
        take_text(walker, texts[0], false);
    if (succeeded(walker, mpid_win_query_comm(win, &comm)))
        mpid_comm_handle_free(comm);
    if (succeeded(walker, mpid_win_query_session(win, &session)))
        mpid_session_handle_free(session);
    if (succeeded(walker, mpid_win_query_info(win, &numbers[0], &pairs)))
        take_pairs(walker, numbers[0], pairs);
    if (succeeded(walker, mpid_win_query_epochs(win, &texts[0], &texts[1], &texts[2], &numbers[0], &ranks))) {
        take_text(walker, texts[0], false);
        take_text(walker, texts[1], false);
        take_text(walker, texts[2], true);
        take_list(walker, numbers[0], ranks);
    }
}

static void walk_file(struct walker *walker, void *file)
{
    char *name;
    int numbers[3];
    mpid_keyvalue_pair_t *pairs;
    mpid_address_t *requests;
    mpid_comm_handle_t *comm;
    if (succeeded(walker, mpid_file_query_basic(file, &name, &numbers[0], &numbers[1], &numbers[2])))
        take_text(walker, name, false);
    if (succeeded(walker, mpid_file_query_comm(file, &comm)))
        mpid_comm_handle_free(comm);
    if (succeeded(walker, mpid_file_query_info(file, &numbers[0], &pairs)))
        take_pairs(walker, numbers[0], pairs);
    if (succeeded(walker, mpid_file_query_requests(file, &numbers[0], &requests)))
        take_list(walker, numbers[0], requests);
}

static void walk_session(struct walker *walker, void *session)
{
    int count = 0;
    const char *name;
    mpid_group_handle_t *group;
    if (succeeded(walker, mpid_session_query_num_psets(session, &count)))
        for (int i = 0; i < count && i < 50; i++)
            if (succeeded(walker, mpid_session_query_nth_pset(session, i, &name)))
                take_text(walker, name, false);
    if (succeeded(walker, mpid_session_query_group_for_pset(session, "mpi://WORLD", &group)))
        mpid_group_handle_free(group);
}

static void walk_request(struct walker *walker, void *request)
{
    char *function;
    int numbers[3];
    int64_t bytes;
    mpid_address_t addresses[2];
    mpid_comm_handle_t *comm;
    mpid_any_handle_t *object;
    if (succeeded(walker, mpid_request_query_basic(request, &function, &numbers[0], &numbers[1])))
        take_text(walker, function, true);
    succeeded(walker, mpid_request_query_message(request, &numbers[0], &numbers[1], &numbers[2], &bytes, &addresses[0],
                                                 &addresses[1]));
    if (succeeded(walker, mpid_request_query_comm(request, &comm)))
        mpid_comm_handle_free(comm);
    if (succeeded(walker, mpid_request_query_object(request, &object)))
        mpid_handle_free(object);
}

static void walk_message(struct walker *walker, void *message)
{
    char *function;
    int numbers[3];
    int64_t bytes;
    mpid_comm_handle_t *comm;
    if (succeeded(walker, mpid_message_query_basic(message, &function, &numbers[0], &numbers[1])))
        take_text(walker, function, true);
    succeeded(walker, mpid_message_query_envelope(message, &numbers[0], &numbers[1], &numbers[2], &bytes));
    if (succeeded(walker, mpid_message_query_comm(message, &comm)))
        mpid_comm_handle_free(comm);
}

static void walk_keyval(struct walker *walker, void *keyval)
{
    char *name;
    int numbers[2];
    mpid_address_t addresses[3];
    if (succeeded(walker, mpid_keyval_query_basic(keyval, &name, &numbers[0], &addresses[0], &addresses[1],
                                                  &addresses[2], &numbers[1])))
        take_text(walker, name, false);
}

#define QUERIES(name)                                                                                                  \
    static int query_##name(mpid_process_handle_t *process, langHandle value, int language, void **ret_handle)         \
    {                                                                                                                  \
        mpid_##name##_handle_t *handle = NULL;                                                                         \
        int result = mpid_##name##_query(process, value, language, &handle);                                           \
        *ret_handle = handle;                                                                                          \
        return result;                                                                                                 \
    }                                                                                                                  \
    static int free_##name(void *handle)                                                                               \
    {                                                                                                                  \
        return mpid_##name##_handle_free(handle);                                                                      \
    }
QUERIES(comm)
QUERIES(group)
QUERIES(type)
QUERIES(op)
QUERIES(errhandler)
QUERIES(info)
QUERIES(win)
QUERIES(file)
QUERIES(request)
#define mpid_session_query mpid_session_query_language
QUERIES(session)
#undef mpid_session_query
QUERIES(message)
QUERIES(keyval)

static const struct {
    int kind;
    int (*query)(mpid_process_handle_t *, langHandle, int, void **);
    void (*walk)(struct walker *, void *);
    int (*free)(void *);
} kinds[] = {
    {MPILENS_OBJECT_COMMUNICATOR, query_comm, walk_comm, free_comm},
    {MPILENS_OBJECT_GROUP, query_group, walk_group, free_group},
    {MPILENS_OBJECT_DATATYPE, query_type, walk_type, free_type},
    {MPILENS_OBJECT_OP, query_op, walk_op, free_op},
    {MPILENS_OBJECT_ERRHANDLER, query_errhandler, walk_errhandler, free_errhandler},
    {MPILENS_OBJECT_INFO, query_info, walk_info, free_info},
    {MPILENS_OBJECT_WINDOW, query_win, walk_win, free_win},
    {MPILENS_OBJECT_FILE, query_file, walk_file, free_file},
    {MPILENS_OBJECT_REQUEST, query_request, walk_request, free_request},
    {MPILENS_OBJECT_SESSION, query_session, walk_session, free_session},
    {MPILENS_OBJECT_MESSAGE, query_message, walk_message, free_message},
    {MPILENS_OBJECT_KEYVAL, query_keyval, walk_keyval, free_keyval},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void walk_value(struct walker *walker, size_t kind, int language, uint64_t value)
{
    void *handle = NULL;
    const langHandle wanted = {.cType = value};
    if (!succeeded(walker, kinds[kind].query(walker->process, wanted, language, &handle)))
        return;
    walker->result.found++;
    walk_any(walker, handle);
    kinds[kind].walk(walker, handle);
    expect(walker, mpid_type_query_basic(handle, NULL, NULL, NULL, NULL, NULL, NULL) == mpid_rc_bad_input ||
                       kinds[kind].query == query_type);
    expect(walker, kinds[kind].free(handle) == mpid_rc_ok);
}

static void walk_status(struct walker *walker, uint64_t address)
{
    mpid_status_handle_t *status;
    int numbers[5];
    int64_t bytes;
    if (!succeeded(walker, mpid_status_query(walker->process, address, &status)))
        return;
    succeeded(walker,
              mpid_status_query_basic(status, &numbers[0], &numbers[1], &numbers[2], &numbers[3], &bytes, &numbers[4]));
    mpid_status_handle_free(status);
}

static void walk_other_names(struct walker *walker)
{
    mpid_process_handle_t *process = walker->process;
    mpid_group_handle_t *group;
    mpid_op_handle_t *op;
    mpid_win_handle_t *win;
    mpid_file_handle_t *file;
    mpid_info_handle_t *info;
    mpid_errhandler_handle_t *errhandler;
    mpid_keyval_handle_t *keyval;
    if (succeeded(walker, mpid_group_query_by_name(process, "MPI_GROUP_EMPTY", &group)))
        mpid_group_handle_free(group);
    if (succeeded(walker, mpid_op_query_by_name(process, "MPI_SUM", &op)))
        mpid_op_handle_free(op);
    if (succeeded(walker, mpid_win_query_by_name(process, "halo", &win)))
        mpid_win_handle_free(win);
    if (succeeded(walker, mpid_file_query_by_name(process, "out/restart.dat", &file)))
        mpid_file_handle_free(file);
    if (succeeded(walker, mpid_info_query_by_name(process, "MPI_INFO_NULL", &info)))
        mpid_info_handle_free(info);
    if (succeeded(walker, mpid_errhandler_query_by_name(process, "MPI_ERRORS_RETURN", &errhandler)))
        mpid_errhandler_handle_free(errhandler);
    if (succeeded(walker, mpid_keyval_query_by_name(process, "MPI_TAG_UB", &keyval)))
        mpid_keyval_handle_free(keyval);
}

static void walk_names(struct walker *walker)
{
    mpid_comm_handle_t *comm;
    mpid_type_handle_t *type;
    mpid_session_handle_t *session;
    mpid_name_map_t *map;
    int64_t map_count;
    int count;
    if (succeeded(walker, mpid_comm_query_by_name(walker->process, "MPI_COMM_WORLD", &comm))) {
        walk_comm(walker, comm);
        mpid_comm_handle_free(comm);
    }
    if (succeeded(walker, mpid_type_query_by_name(walker->process, "MPI_INT", &type))) {
        walk_type(walker, type);
        mpid_type_handle_free(type);
    }
    walk_other_names(walker);
    if (succeeded(walker, mpid_type_query_predefined_map(walker->process, &map, &map_count))) {
        for (int64_t i = 0; i < map_count; i++)
            take_text(walker, map[i].map_name, false);
        take_list(walker, map_count, map);
    }
    if (succeeded(walker, mpid_get_num_sessions(walker->process, &count)) && count > 0 &&
        succeeded(walker, mpid_get_nth_session(walker->process, 0, &session))) {
        walk_session(walker, session);
        mpid_session_handle_free(session);
    }
}

struct walk_mpid_result walk_mpid(mpid_process_handle_t *process, const uint64_t *values, size_t count)
{
    struct walker walker = {.process = process};
    walk_names(&walker);
    for (size_t i = 0; i < count; i++) {
        for (size_t kind = 0; kind < KINDS; kind++) {
            walk_value(&walker, kind, MPID_TYPE_LANG_C, values[i]);
            walk_value(&walker, kind, MPID_TYPE_LANG_FORTRAN, values[i]);
        }
        walk_status(&walker, values[i]);
    }
    return walker.result;
}

struct walk_mpid_result walk_mpid_kinds(mpid_process_handle_t *process, const uint64_t *values, unsigned in_fortran)
{
    struct walker walker = {.process = process};
    walk_names(&walker);
    for (size_t kind = 0; kind < KINDS; kind++)
        walk_value(&walker, kind, in_fortran & 1u << kinds[kind].kind ? MPID_TYPE_LANG_FORTRAN : MPID_TYPE_LANG_C,
                   values[kinds[kind].kind]);
    walk_status(&walker, values[MPILENS_OBJECT_STATUS]);
    return walker.result;
}
