/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls in words, with their peers left open.
 */
#ifndef MPILENS_INSPECT_WORDS_OPEN_CALL_H
#define MPILENS_INSPECT_WORDS_OPEN_CALL_H

#include "model/model.h"

#include <stdio.h>

/* A peer in a call, and the rank and size of its communicator at the process that makes the call. */
struct open_peer {
    int32_t rank, size;
    int32_t local, world;
};

/* False: it cannot be left open, as a peer in another group, or any. */
bool open_peer_of(int32_t local, int32_t world, const struct communicator *communicator, struct open_peer *ret_peer);

/* A call or operation whose peers are left open, for calls that differ in nothing else: PEER_MARK stands in the text
 * for each of them. The caller frees the text. */
#define PEER_MARK "\032"
enum { MOST_OPEN_PEERS = 4 };
struct open_call {
    char *text;
    struct open_peer peers[MOST_OPEN_PEERS];
    size_t peer_count;
};
/* Writes one call of several: appends the peers that it leaves open to those of `all`; where they find no more room,
 * they are filled in. Takes `call`. */
void append_open_call(FILE *stream, struct open_call *all, struct open_call call);
/* The text with those peers in it, as many as are left open. The caller frees it. */
char *fill_open_text(const char *text, char *const *peers, size_t count);
/* The text with its own peers, which is taken. The caller frees it. */
char *fill_open_call(struct open_call call);

#endif
