/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The MPI Message Queue Dumping interface, version 1.0 (MPI Forum, 12 December 2013), compatibility 2, as real
 * debuggers and DLLs understand it. Section numbers refer to that document. Where documents and practice differ:
 *
 *   - mqs_basic_callbacks has eight slots, mqs_dprints_fp the third (5.6.1). Slots 2 and 3 may be NULL.
 *   - functions that some headers declare void return int here, so that callers of either kind work.
 *   - lengths are bytes (5.5.2). desired_tag means something where tag_wild is 0. A rank of -1 is "any" or "not known".
 *   - iterators end with mqs_end_of_list; mqs_true and mqs_false do not exist.
 *   - mqs_target_type_sizes is 20 bytes here and 28 in a debugger built for Open MPI: give it more room.
 *
 * The last group, mqs_get_comm_coll_state and mqs_get_global_rank, is padb's extension (padb, minfo.c).
 */
#ifndef MPILENS_MESSAGE_QUEUE_H
#define MPILENS_MESSAGE_QUEUE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MQS_INTERFACE_COMPATIBILITY = 2 };

/* 5.2: an address and a word of the target, wide enough for every target that this debugger handles. */
typedef unsigned long mqs_taddr_t;
typedef long mqs_tword_t;

/* 5.2.3: bytes of the target's C types. */
typedef struct mqs_target_type_sizes {
    int short_size;
    int int_size;
    int long_size;
    int long_long_size;
    int pointer_size;
} mqs_target_type_sizes;

/* 5.3: the debugger's own ... */
typedef struct mqs_image_ mqs_image;
typedef struct mqs_process_ mqs_process;
typedef struct mqs_type_ mqs_type;
/* ... and the DLL's own objects, each opaque to the other side. */
typedef struct _mqs_image_info mqs_image_info;
typedef struct _mqs_process_info mqs_process_info;

/* 5.4.1 */
typedef enum { mqs_lang_c = 'c', mqs_lang_cplus = 'C', mqs_lang_f77 = 'f', mqs_lang_f90 = 'F' } mqs_lang_code;

/* 5.4.2 */
typedef enum { mqs_pending_sends, mqs_pending_receives, mqs_unexpected_messages } mqs_op_class;

/* 5.4.4 */
enum mqs_status { mqs_st_pending, mqs_st_matched, mqs_st_complete };

/* 5.4.5: codes of both sides; each adds its own from mqs_first_user_code on. */
enum { mqs_ok = 0, mqs_no_information, mqs_end_of_list, mqs_first_user_code = 100 };

/* 5.4.6 */
enum { MQS_INVALID_PROCESS = -1 };

/* 5.5.1 */
typedef struct {
    mqs_taddr_t unique_id;  /* equal at all members, at most 2^63 - 1 */
    mqs_tword_t local_rank; /* of this process in the communicator */
    mqs_tword_t size;       /* of its (local) group */
    char name[64];
} mqs_communicator;

/* 5.5.2 */
typedef struct {
    int status;                      /* enum mqs_status */
    mqs_tword_t desired_local_rank;  /* peer in the communicator, -1: any */
    mqs_tword_t desired_global_rank; /* peer in MPI_COMM_WORLD, -1: any or not known */
    int tag_wild;                    /* 1: any tag */
    mqs_tword_t desired_tag;
    mqs_tword_t desired_length; /* bytes, -1: not known */
    int system_buffer;          /* 1: `buffer` is MPI's own */
    mqs_taddr_t buffer;
    /* of sends, and of receives that are matched or complete: */
    mqs_tword_t actual_local_rank;
    mqs_tword_t actual_global_rank;
    mqs_tword_t actual_tag;
    mqs_tword_t actual_length; /* bytes, -1: not known */
    char extra_text[5][64];    /* lines for people; ends before the first empty one */
} mqs_pending_operation;

/* 5.6: callbacks from the debugger. The tables stay valid and the debugger's. */
typedef void *(*mqs_malloc_ft)(size_t);
typedef void (*mqs_free_ft)(void *);
typedef void (*mqs_dprints_ft)(const char *);
typedef char *(*mqs_errorstring_ft)(int);
typedef void (*mqs_put_image_info_ft)(mqs_image *, mqs_image_info *);
typedef mqs_image_info *(*mqs_get_image_info_ft)(mqs_image *);
typedef void (*mqs_put_process_info_ft)(mqs_process *, mqs_process_info *);
typedef mqs_process_info *(*mqs_get_process_info_ft)(mqs_process *);

typedef struct mqs_basic_callbacks {
    mqs_malloc_ft mqs_malloc_fp;
    mqs_free_ft mqs_free_fp;
    mqs_dprints_ft mqs_dprints_fp;         /* may be NULL */
    mqs_errorstring_ft mqs_errorstring_fp; /* may be NULL */
    mqs_put_image_info_ft mqs_put_image_info_fp;
    mqs_get_image_info_ft mqs_get_image_info_fp;
    mqs_put_process_info_ft mqs_put_process_info_fp;
    mqs_get_process_info_ft mqs_get_process_info_fp;
} mqs_basic_callbacks;

typedef void (*mqs_get_type_sizes_ft)(mqs_process *, mqs_target_type_sizes *);
typedef int (*mqs_find_function_ft)(mqs_image *, char *, mqs_lang_code, mqs_taddr_t *);
typedef int (*mqs_find_symbol_ft)(mqs_image *, char *, mqs_taddr_t *);
typedef mqs_type *(*mqs_find_type_ft)(mqs_image *, char *, mqs_lang_code);
typedef int (*mqs_field_offset_ft)(mqs_type *, char *);
typedef int (*mqs_sizeof_ft)(mqs_type *);

typedef struct mqs_image_callbacks {
    mqs_get_type_sizes_ft mqs_get_type_sizes_fp;
    mqs_find_function_ft mqs_find_function_fp;
    mqs_find_symbol_ft mqs_find_symbol_fp;
    mqs_find_type_ft mqs_find_type_fp;
    mqs_field_offset_ft mqs_field_offset_fp;
    mqs_sizeof_ft mqs_sizeof_fp;
} mqs_image_callbacks;

typedef int (*mqs_get_global_rank_ft)(mqs_process *);
typedef mqs_image *(*mqs_get_image_ft)(mqs_process *);
typedef int (*mqs_fetch_data_ft)(mqs_process *, mqs_taddr_t address, int bytes, void *ret_data);
typedef void (*mqs_target_to_host_ft)(mqs_process *, const void *in, void *ret_out, int bytes);

typedef struct mqs_process_callbacks {
    mqs_get_global_rank_ft mqs_get_global_rank_fp;
    mqs_get_image_ft mqs_get_image_fp;
    mqs_fetch_data_ft mqs_fetch_data_fp;
    mqs_target_to_host_ft mqs_target_to_host_fp;
} mqs_process_callbacks;

/* 5.7 to 5.10: entry points of the DLL. Results of type int are codes of 5.4.5. */
void mqs_setup_basic_callbacks(const mqs_basic_callbacks *given);
char *mqs_version_string(void);
int mqs_version_compatibility(void);
int mqs_dll_taddr_width(void);
char *mqs_dll_error_string(int code);

int mqs_setup_image(mqs_image *image, const mqs_image_callbacks *given);
int mqs_image_has_queues(mqs_image *image, char **ret_message);
int mqs_destroy_image_info(mqs_image_info *info);

int mqs_setup_process(mqs_process *process, const mqs_process_callbacks *given);
int mqs_process_has_queues(mqs_process *process, char **ret_message);
int mqs_destroy_process_info(mqs_process_info *info);

/* If the process cannot be read any more, returns a code and keeps the last copy. Debuggers that continue get that
 * copy; extra_text of each operation says how old it is. */
int mqs_update_communicator_list(mqs_process *process);
int mqs_setup_communicator_iterator(mqs_process *process);
int mqs_get_communicator(mqs_process *process, mqs_communicator *ret_communicator);
int mqs_get_comm_group(mqs_process *process, int *ret_world_ranks /* [size] */);
int mqs_next_communicator(mqs_process *process);
/* mqs_unexpected_messages lists messages inferred from the other processes of the job that the debugger has set up, as
 * they are now, and messages that the process's own runtime has taken out of MPI. Such a message is pending and in a
 * system buffer; desired_* equals actual_*: sender, tag (-1: not known) and bytes. extra_text says how it is known.
 * The order is MPI's order of matching (MPI 4.0, 3.5): messages of one sender in the order of their sends, of several
 * senders the oldest first, as exactly as the kernel's timer ticks of 1 to 10 ms (Open MPI takes its senders' queues
 * in turn). Set up all processes in one DLL: one process alone has only its messages to itself, or all of them after
 * `mpilens run --unexpected=exact`. mqs_no_information: no other process of the job can be read, and there are no such
 * messages. mpilens_get_unexpected (extension.h) tells more. */
int mqs_setup_operation_iterator(mqs_process *process, int op_class);
int mqs_next_operation(mqs_process *process, mqs_pending_operation *ret_operation);

/* padb: of the iterator's communicator; class as enum mpilens_collective_class. */
int mqs_get_comm_coll_state(mqs_process *process, int collective_class, int *ret_count, int *ret_active);
int mqs_get_global_rank(mqs_process *process);

#ifdef __cplusplus
}
#endif

#endif
