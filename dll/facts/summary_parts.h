/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sentences about objects: "kind name (handle): fact, fact, fact".
 */
#ifndef MPILENS_DLL_FACTS_SUMMARY_PARTS_H
#define MPILENS_DLL_FACTS_SUMMARY_PARTS_H

#include "facts/text.h"

#include "mpilens/extension.h"

enum { MAX_PARENT_NAME = 128 };

struct sentence {
    struct text text;
    const char *begin;
    bool has_facts;
    uint64_t user_function; /* whose address it says, 0: none */
    size_t function_offset; /* where */
    size_t function_bytes;
};

/* `name` empty: it has none. */
struct sentence sentence_begin(char *buffer, size_t bytes, const char *kind, const char *name, uint64_t handle);

/* Begins the next fact. */
void sentence_add(struct sentence *sentence, const char *fact);
/* A fact that is a number between two texts. */
void sentence_add_number(struct sentence *sentence, const char *before, uint64_t number, const char *after);
void sentence_add_hexadecimal(struct sentence *sentence, const char *before, uint64_t number, const char *after);

/* "rank 1 of 4" */
void summary_say_rank(struct sentence *sentence, int32_t rank, int32_t size);
/* "user function 0x401700"; 0: nothing. */
void summary_say_user_function(struct sentence *sentence, uint64_t address);
/* "for communicators"; of enum mpilens_attachable. */
void summary_say_attachable(struct sentence *sentence, uint32_t attachable);
/* `before` and the name of the communicator whose record stands at `address`; nothing if that is not known. */
void summary_say_communicator(struct sentence *sentence, const struct reading *reading, const char *before,
                              uint64_t address);

/* "cartesian 2 x 1, periodic in dimension 0"; its values (extension_handles.h) as far as those of a cartesian topology
 * need them, NULL: not known. */
void summary_add_topology(struct text *text, const struct mpilens_topology *topology, const int32_t *values);

/* What only one kind has. */
void summary_say_communicator_facts(struct sentence *sentence, const struct mpilens_communicator *communicator);
void summary_say_window_facts(struct sentence *sentence, const struct reading *reading,
                              const struct mpilens_window *window);
void summary_say_file_facts(struct sentence *sentence, const struct reading *reading, const struct mpilens_file *file);

#endif
