/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Peers in tables of what ranks have: where those of several ranks follow a rule, their rows say the rule.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_MERGED_PEERS_H
#define MPILENS_INSPECT_RENDER_TEXT_MERGED_PEERS_H

#include "render/text/merged_rows.h"

/* Gives rows, which differ in nothing but their open peers and stand by rank, the texts of these in `column`. */
void merged_peers_close(size_t column, struct merged_row **rows, size_t count);
/* Likewise one row by itself, if its peer is open. */
void merged_peer_close(size_t column, struct merged_row *row);

#endif
