/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes calls with their peers left open.
 */
#include "words/words.h"

#include "base/base.h"

#include <stdio.h>
#include <string.h>

bool open_peer_of(int32_t local, int32_t world, const struct communicator *communicator, struct open_peer *ret_peer)
{
    if (communicator == NULL || local < 0 || communicator->intercommunicator)
        return false;
    *ret_peer =
        (struct open_peer){.rank = communicator->rank, .size = communicator->size, .local = local, .world = world};
    return true;
}

const char *fill_open_text(const char *text, const char *const *peers, size_t count)
{
    FILE *stream = arena_open();
    for (size_t i = 0; i < count; i++) {
        const char *mark = strstr(text, PEER_MARK);
        if (mark == NULL)
            break;
        fprintf(stream, "%.*s%s", (int)(mark - text), text, peers[i]);
        text = mark + strlen(PEER_MARK);
    }
    fputs(text, stream);
    return arena_close(stream);
}

const char *fill_open_call(struct open_call call)
{
    const char *peers[MOST_OPEN_PEERS] = {NULL};
    for (size_t i = 0; i < call.peer_count; i++)
        peers[i] = describe_rank(call.peers[i].local, call.peers[i].world);
    return fill_open_text(call.text, peers, call.peer_count);
}

void append_open_call(FILE *stream, struct open_call *all, struct open_call call)
{
    if (all->peer_count + call.peer_count > MOST_OPEN_PEERS)
        call = (struct open_call){.text = fill_open_call(call)};
    fputs(call.text, stream);
    for (size_t i = 0; i < call.peer_count; i++)
        all->peers[all->peer_count++] = call.peers[i];
}
