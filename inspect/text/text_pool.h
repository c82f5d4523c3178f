/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names that thousands of records share (functions, datatypes, files), each stored once.
 */
#ifndef MPILENS_INSPECT_TEXT_TEXT_POOL_H
#define MPILENS_INSPECT_TEXT_TEXT_POOL_H

/* Zero-initialised is empty. */
struct text_pool {
    void *root; /* tsearch tree of char * */
};

/* The pool's copy of `text`, valid until the pool is cleared; the same pointer for the same text. */
const char *text_pool_add(struct text_pool *pool, const char *text);
void text_pool_clear(struct text_pool *pool);

#endif
