/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Peers that were left open in the text of a call.
 */
#include "allocation.h"
#include "describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *fill_open_text(const char *text, char *const *peers, size_t count)
{
    char *filled = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&filled, &bytes);
    if (stream == NULL)
        return copy_text(text);
    for (size_t i = 0; i < count; i++) {
        const char *mark = strstr(text, PEER_MARK);
        if (mark == NULL)
            break;
        fprintf(stream, "%.*s%s", (int)(mark - text), text, peers[i]);
        text = mark + strlen(PEER_MARK);
    }
    fputs(text, stream);
    fclose(stream);
    return filled;
}

char *fill_open_call(struct open_call call)
{
    char *peers[MOST_OPEN_PEERS] = {NULL};
    for (size_t i = 0; i < call.peer_count; i++)
        peers[i] = describe_rank(call.peers[i].local, call.peers[i].world);
    char *filled = fill_open_text(call.text, peers, call.peer_count);
    for (size_t i = 0; i < call.peer_count; i++)
        free(peers[i]);
    free(call.text);
    return filled;
}
