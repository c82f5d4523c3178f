/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Everything about one handle.
 */
#ifndef MPILENS_INSPECT_HANDLE_HANDLE_H
#define MPILENS_INSPECT_HANDLE_HANDLE_H

#include "base/base.h"
#include "collect/collect.h"
#include "model/model.h"

#include <stdio.h>

/* -- handle.c --
 * One opaque handle in one process: all that is known of what it names. Answers of the DLL stand here as they came; as
 * in model.h, text that has no other owner stands in the names of the job.
 */

/* The user's question. */
struct handle_query {
    uint32_t kind;    /* enum mpilens_object_kind; MPILENS_OBJECT_NONE: from the name */
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

/* The DLL's sentence about an object, without the place of the call that made it. */
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

/* The topology of a communicator. */
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
    struct operation request;
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

/* -- handle_collect.c --
 * From the DLL to what is known of one handle.
 */

enum handle_result {
    HANDLE_FOUND,
    HANDLE_UNKNOWN, /* it names nothing that is known */
    HANDLE_FAILED,  /* the DLL has given an error, *ret_code */
};

/* Looks up a value; the handle is to be cleared where it was found. `process` has what collect_process has read. */
enum handle_result handle_collect(const struct collection *collection, const struct process *process,
                                  const struct handle_query *query, struct handle *ret_handle, int *ret_code);

/* As handle_collect, for the predefined object of that name, of query->kind if that is not MPILENS_OBJECT_NONE. */
enum handle_result handle_collect_predefined(const struct collection *collection, const struct process *process,
                                             const struct handle_query *query, struct handle *ret_handle,
                                             int *ret_code);

/* -- handle_collect_common.c -- The DLL's answers about handles of all kinds, and about communicators.
 */

/* These read about the current object of the DLL. */
void handle_collect_common(const struct collection *collection, struct handle *handle);
struct handle_sentence handle_collect_sentence(const struct collection *collection);
void handle_collect_communicator(const struct collection *collection, struct handle *handle);
struct handle_members handle_collect_members(const struct collection *collection, bool remote);

/* -- handle_collect_datatype.c -- The DLL's answers about datatypes.
 */

/* Changes the current object of the DLL. */
void handle_collect_datatype(const struct collection *collection, struct handle *handle);

/* -- handle_describe.c --
 * Describes the object that a handle names.
 */

/* "row (0x84000002)", "0x84000002". */
const char *handle_describe_name(uint64_t handle, const char *name);
/* "main at app.c:12", "0x401136". */
const char *handle_describe_function(const struct handle_function *function);
/* "app.c:40"; "app" where there are no lines; "" where it is not known. */
const char *handle_describe_place(const struct site *site, uint64_t address);

/* MPI has let go of it: the application has freed it, and nothing refers to it any more. */
bool handle_is_gone(const struct handle *handle);

/* -- handle_lines.c --
 * The page of a handle: lines that the DLL makes (mpilens/extension_pages.h), and what the command adds to them.
 */

/* Takes over the lines of the page that the DLL has made last. `code`: how making it ended. */
void handle_collect_page(const struct collection *collection, int code, struct handle *handle);

/* The text after the label of a line: "MPI_Win_lock at app.c:40 main, 12.0 s ago". */
const char *handle_line_text(const struct handle_line *line);

/* -- handle_query.c --
 * How a user says which handle is meant.
 */

/* "comm", "datatype", "win", ... False: there is no such kind. */
bool handle_parse_kind(const char *text, uint32_t *ret_kind);
/* "comm, datatype, ...": all of them. */
const char *handle_kind_names(void);
/* "0x84000002", "17", "-2080374782", "017" (seventeen). False: not an integer of 64 bits. */
bool handle_parse_value(const char *text, uint64_t *ret_value);
/* KIND VALUE, KIND NAME or NAME, which stay the caller's; `target` (NULL: none) is for sentences. Of `query` the
 * language stays. 0, or -1 and a reason. */
int handle_parse_query(char *const words[], size_t count, const char *target, struct handle_query *query,
                       struct reason *ret_reason);

/* -- handle_question.c --
 * Questions about handles, and what the processes of a job have answered.
 */

struct handle_question {
    char *text;  /* its line in the file, with spaces for control characters; NULL: it has none */
    size_t line; /* from 1 */
    char *words; /* of the text; the query and rank_text point into it */
    struct handle_query query;
    const char *rank_text; /* of its own --rank; NULL: none */
    struct rank_set ranks; /* of its own --rank; empty: none */

    enum exit_status status; /* EXIT_USAGE: a malformed question; else the status of the answer */
    size_t asked;            /* processes */
    struct handle *handles;  /* in those that have it */
    size_t count;
    struct reason *reasons; /* why the others have not got it, each once; or why it cannot be asked */
    size_t reason_count;
    bool has_unknown; /* a value was known, and what it names was not */
};

struct handle_questions {
    struct handle_question *items;
    size_t count;

    /* From the command line, whose texts stay the caller's. */
    const char *target;
    enum mpilens_handle_language language; /* of values, unless the question says more */
    const struct rank_set *ranks;          /* for questions without --rank */
    const char *rank_text;
    bool is_stopped; /* the processes are, while they are asked */
};

/* Appends the question of the command line. `words` are one or two, and stay the caller's. 0, or -1 and a reason. */
int handle_questions_add(struct handle_questions *questions, char *const words[], size_t count,
                         struct reason *ret_reason);
/* Appends the questions of a file; those that cannot be asked have a reason. 0, or -1 and errno. */
int handle_questions_read(struct handle_questions *questions, FILE *stream);
/* The worst of all. */
enum exit_status handle_questions_status(const struct handle_questions *questions);
void handle_questions_clear(struct handle_questions *questions);

/* For handle_question.c and handle_answer.c only: a reason that the question does not have yet. */
void handle_question_add_reason(struct handle_question *question, const struct reason *reason);

/* -- handle_summary.c -- A handle in one sentence.
 */

/* The whole in one sentence: "communicator row (0x84000002): rank 1 of 2, intracommunicator, cartesian 2 x 1, periodic
 * in dimension 0, split from MPI_COMM_WORLD at app.c:40". */
const char *handle_summary(const struct handle *handle);
/* As handle_summary, for a datatype that is part of another one. */
const char *handle_datatype_summary(const struct handle_datatype *datatype);

#endif
