/* SPDX-License-Identifier: BSD-3-Clause
 *
 * In which order the words of a record must be read while its owner may be writing it.
 *
 * One copy of memory has no order: a processor, and what copies, may load its words as they like. Only what is read by
 * one copy is read before what is read by the next. Where loads have no order (target/load_order.h) a record is copied
 * several times in a row, most of it counts in one of these copies (the content), and the words that order the rest in
 * others. tests/memory_order/ has the model: it takes the writer's order from the runtime and the reader's from here.
 */
#ifndef MPILENS_DLL_LAYOUT_RECORD_ORDER_H
#define MPILENS_DLL_LAYOUT_RECORD_ORDER_H

#include "layout/shape.h"

#include <stddef.h>

enum { MOST_COPIES = 5 };

/* How many copies are taken of records of this struct, one after the other, and which of them is the content. One where
 * loads are ordered. */
size_t record_order_copies(enum mpilens_struct number);
size_t record_order_content(enum mpilens_struct number);

/* Completes the record in copies[record_order_content()] by what the others, all as our struct, say. A record that was
 * given to something else meanwhile becomes unpublished; of operations, posted and posted_check tell. */
void record_order_complete(enum mpilens_struct number, uint8_t *const copies[]);

#endif
