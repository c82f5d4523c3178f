/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One opaque handle in one process: all that is known of what it names. Answers of the DLL stand here as they came; as
 * in model.h, text that has no other owner stands in the names of the job.
 */
#ifndef MPILENS_INSPECT_HANDLE_HANDLE_H
#define MPILENS_INSPECT_HANDLE_HANDLE_H

#include "base/reason.h"
#include "model/model.h"

/* What the user asks for. */
struct handle_query {
    uint32_t kind;    /* enum mpilens_object_kind; MPILENS_OBJECT_NONE: that of the name */
    const char *name; /* of a predefined object or of a variable; NULL: the value is given */
    uint64_t value;   /* as mpilens_find_object takes it; of a status its address */
    enum mpilens_handle_language language;
};

/* A key and a value; "" where it has none. */
struct handle_text {
    const char *key, *value;
};

/* Ranks of MPI_COMM_WORLD. */
struct handle_members {
    bool is_known;
    struct mpilens_rank_range *ranges;
    size_t count;
};

/* A function of the application. */
struct handle_function {
    uint64_t address; /* 0: none */
    const struct site *site;
};

/* A line of its page (mpilens/extension_pages.h). */
struct handle_line {
    uint32_t depth;
    bool is_of_users;
    char *label, *text; /* its own */
    uint64_t call;      /* return address, 0: none */
    const struct site *site;
    struct handle_function function;
    double age_s; /* -1: it has none, or it is not known */
};

struct handle_attribute {
    uint64_t keyval; /* handle, 0: freed or not known */
    const char *name;
    uint64_t value;
};

/* Basic types in one element of a datatype, in the order of its type map. */
struct handle_type_map {
    bool is_known;
    struct mpilens_type_map_entry *entries;
    size_t count;
    struct mpilens_element_run *runs; /* written out */
    size_t run_count;
    bool is_cut; /* there are more runs */
    bool has_holes;
    struct mpilens_type_hole *holes;
    size_t hole_count;
};

/* What the DLL says about an object: without the place of the call that made it. */
struct handle_sentence {
    const char *text;
    uint32_t function_offset, function_bytes; /* where it says the address of the object's function; 0 bytes: nowhere */
};

/* A datatype and what it was made of. */
struct handle_datatype {
    struct mpilens_object_information object;
    struct mpilens_datatype_information information;
    bool has_contents;
    struct mpilens_datatype_contents contents;
    const char *combiner; /* in words */
    int64_t *arguments;   /* integers, then addresses */
    size_t argument_count;
    struct handle_datatype *parts; /* the datatypes among the arguments, as far as they were followed */
    size_t part_count;
    struct handle_sentence sentence;
    const struct site *site; /* where it was made */
};

/* Of a communicator. */
struct handle_topology {
    struct mpilens_topology_information information;
    int32_t *values;
    size_t value_count; /* those that are known */
};

struct handle {
    int rank; /* in MPI_COMM_WORLD, -1: not known */
    pid_t pid;
    size_t part;   /* struct process.part */
    uint32_t kind; /* enum mpilens_object_kind */
    uint64_t value;
    const char *variable; /* that it was found in, NULL: none */
    bool is_null;         /* a null handle: the fields below mean nothing but object.name */
    struct mpilens_object_information object;
    struct mpilens_handle_information more;
    struct handle_sentence sentence;
    struct handle_line *lines; /* none of a null handle */
    size_t line_count;
    double age_s;
    const struct site *created_site, *freed_site;
    struct mpilens_user_information *users;
    size_t user_count;
    bool has_texts; /* entries, hints or process sets are known */
    struct handle_text *texts;
    size_t text_count;
    uint64_t communicator; /* handle of the communicator that it belongs to, 0: none or not known */
    const char *communicator_name;
    uint64_t errhandler; /* handle, 0: not known */
    const char *errhandler_name;

    /* By kind. */
    struct handle_members members, remote_members;
    struct handle_topology topology;
    struct handle_attribute *attributes;
    size_t attribute_count;
    struct mpilens_communicator_information of_communicator;
    struct window *window;
    struct file *file;
    struct mpilens_group_information group;
    struct mpilens_op_information op;
    struct mpilens_errhandler_information handler;
    struct mpilens_keyval_information keyval;
    struct mpilens_session_information session;
    struct handle_function function, copy_function, delete_function; /* of op, error handler, keyval */
    struct handle_datatype datatype;
    struct handle_type_map type_map;
    struct request request;
    uint32_t sharers;  /* operations under way that have the handle of the request: it names one of them */
    bool is_to_nobody; /* the peer of the request is MPI_PROC_NULL */
    struct mpilens_partition_run *partitions; /* of an active request, as far as they were read */
    size_t partition_run_count;
    const struct operation *operation; /* of a request in a queue, NULL: of another one */
    const struct communicator *request_communicator;
    const struct matched_message *message;
    struct mpilens_status_information status;
};

/* Where the application has called and what its functions are. */
void handle_resolve_sites(struct handle *handle, struct site_cache *cache, struct target *target);
void handle_clear(struct handle *handle);

#endif
