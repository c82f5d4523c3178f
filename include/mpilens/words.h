/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of the numbers in the contracts (words.def):
 *
 *   const char *mpilens_lock_type_word(uint32_t number)    for programs: JSON
 *   const char *mpilens_lock_type_phrase(uint32_t number)  for people
 *
 * and so for every list. NULL: the number has none, as it may have been written by a later version.
 */
#ifndef MPILENS_WORDS_H
#define MPILENS_WORDS_H

#include "mpilens/layout.h"
#include "mpilens/message_queue.h"
#include "mpilens/object_kind.h"
#include "mpilens/words.def"

#define MPILENS_WORD_CASE(constant, word, phrase)                                                                      \
    case constant:                                                                                                     \
        return word;
#define MPILENS_PHRASE_CASE(constant, word, phrase)                                                                    \
    case constant:                                                                                                     \
        return phrase;
#define MPILENS_WORD_FUNCTIONS(name, LIST)                                                                             \
    static inline const char *mpilens_##name##_word(uint32_t number)                                                   \
    {                                                                                                                  \
        switch (number) {                                                                                              \
            LIST(MPILENS_WORD_CASE)                                                                                    \
        default:                                                                                                       \
            return NULL;                                                                                               \
        }                                                                                                              \
    }                                                                                                                  \
    static inline const char *mpilens_##name##_phrase(uint32_t number)                                                 \
    {                                                                                                                  \
        switch (number) {                                                                                              \
            LIST(MPILENS_PHRASE_CASE)                                                                                  \
        default:                                                                                                       \
            return NULL;                                                                                               \
        }                                                                                                              \
    }

MPILENS_WORD_FUNCTIONS(status, MPILENS_STATUS_WORDS)
MPILENS_WORD_FUNCTIONS(process_state, MPILENS_PROCESS_STATE_WORDS)
MPILENS_WORD_FUNCTIONS(thread_level, MPILENS_THREAD_LEVEL_WORDS)
MPILENS_WORD_FUNCTIONS(attachable, MPILENS_ATTACHABLE_WORDS)
MPILENS_WORD_FUNCTIONS(topology, MPILENS_TOPOLOGY_WORDS)
MPILENS_WORD_FUNCTIONS(combiner, MPILENS_COMBINER_WORDS)
MPILENS_WORD_FUNCTIONS(window_flavor, MPILENS_WINDOW_FLAVOR_WORDS)
MPILENS_WORD_FUNCTIONS(epoch, MPILENS_EPOCH_WORDS)
MPILENS_WORD_FUNCTIONS(lock_type, MPILENS_LOCK_TYPE_WORDS)
MPILENS_WORD_FUNCTIONS(file_mode, MPILENS_FILE_MODE_WORDS)
MPILENS_WORD_FUNCTIONS(operation_state, MPILENS_OPERATION_STATE_WORDS)
MPILENS_WORD_FUNCTIONS(operation_class, MPILENS_OPERATION_CLASS_WORDS)
MPILENS_WORD_FUNCTIONS(operation_mode, MPILENS_OPERATION_MODE_WORDS)
MPILENS_WORD_FUNCTIONS(collective_class, MPILENS_COLLECTIVE_CLASS_WORDS)

#undef MPILENS_WORD_FUNCTIONS
#undef MPILENS_PHRASE_CASE
#undef MPILENS_WORD_CASE

#endif
