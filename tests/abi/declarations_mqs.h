/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The message queue dumping interface as a debugger declares it that has never seen this project's headers: only what
 * the debuggers here need.
 */
#ifndef TESTS_ABI_DECLARATIONS_MQS_H
#define TESTS_ABI_DECLARATIONS_MQS_H

#include <stddef.h>
#include <stdint.h>

typedef unsigned long mqs_taddr_t;
typedef long mqs_tword_t;

typedef struct mqs_image_ mqs_image;
typedef struct mqs_process_ mqs_process;
typedef struct mqs_type_ mqs_type;
typedef struct _mqs_image_info mqs_image_info;
typedef struct _mqs_process_info mqs_process_info;
typedef enum { mqs_lang_c = 'c', mqs_lang_cplus = 'C', mqs_lang_f77 = 'f', mqs_lang_f90 = 'F' } mqs_lang_code;
typedef struct {
    int sizes[7];
} mqs_target_type_sizes; /* as Open MPI has it */

typedef struct {
    mqs_taddr_t unique_id;
    mqs_tword_t local_rank;
    mqs_tword_t size;
    char name[64];
} mqs_communicator;

typedef struct {
    void *(*malloc_fp)(size_t);
    void (*free_fp)(void *);
    void (*dprints_fp)(const char *);
    char *(*errorstring_fp)(int);
    void (*put_image_info_fp)(mqs_image *, mqs_image_info *);
    mqs_image_info *(*get_image_info_fp)(mqs_image *);
    void (*put_process_info_fp)(mqs_process *, mqs_process_info *);
    mqs_process_info *(*get_process_info_fp)(mqs_process *);
} mqs_basic_callbacks;

typedef struct {
    void (*get_type_sizes_fp)(mqs_process *, mqs_target_type_sizes *);
    int (*find_function_fp)(mqs_image *, char *, mqs_lang_code, mqs_taddr_t *);
    int (*find_symbol_fp)(mqs_image *, char *, mqs_taddr_t *);
    mqs_type *(*find_type_fp)(mqs_image *, char *, mqs_lang_code);
    int (*field_offset_fp)(mqs_type *, char *);
    int (*sizeof_fp)(mqs_type *);
} mqs_image_callbacks;

typedef struct {
    int (*get_global_rank_fp)(mqs_process *);
    mqs_image *(*get_image_fp)(mqs_process *);
    int (*fetch_data_fp)(mqs_process *, mqs_taddr_t, int, void *);
    void (*target_to_host_fp)(mqs_process *, const void *, void *, int);
} mqs_process_callbacks;

#endif
