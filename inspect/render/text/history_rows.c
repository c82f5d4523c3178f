/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collective calls by number, and messages with their other ends, in words.
 */
#include "render/text/render_text.h"

#include "analysis/calls/calls.h"
#include "analysis/messages/messages.h"
#include "base/base.h"

#include <inttypes.h>

/* Rows from the first difference on, where the last ones are much later; the last rows. */
enum { MOST_EARLY = 3, MOST_LATE = 8 };

const char *history_describe_call(const struct history_group *group, uint64_t serial)
{
    struct made_call made;
    if (!made_call_find(group->first, serial, &made))
        return group->begun < serial ? "-" : "";
    return arena_text("%s%s %s%s", made.function, made.root >= 0 ? arena_text(" root %" PRId32, made.root) : "",
                      describe_site(made.site), made.active ? " (active)" : "");
}

const char *history_describe_counts(const struct collective_history *history)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < history->group_count; i++) {
        least = history->groups[i].begun < least ? history->groups[i].begun : least;
        most = history->groups[i].begun > most ? history->groups[i].begun : most;
    }
    const char *calls = least == 1 && most == 1 ? "collective call" : "collective calls";
    return least == most ? arena_text("%" PRIu64 " %s each", most, calls)
                         : arena_text("%" PRIu64 " to %" PRIu64 " %s", least, most, calls);
}

const char *history_describe_difference(const struct collective_history *history)
{
    if (history->first_difference == 0)
        return "no difference in those that are known";
    if (history->last_alike + 1 == history->first_difference)
        return arena_text("the first difference is call %" PRIu64, history->first_difference);
    return arena_text("the first difference is one of the calls %" PRIu64 " to %" PRIu64, history->last_alike + 1,
                      history->first_difference);
}

bool history_row_differs(const struct collective_history *history, size_t row)
{
    return history->first_difference != 0 && history->serials[row] >= history->first_difference &&
           (row == 0 || history->serials[row - 1] < history->first_difference);
}

bool history_row_is_shown(const struct collective_history *history, size_t row)
{
    const uint64_t serial = history->serials[row];
    if (row + MOST_LATE >= history->count)
        return true;
    if (history->first_difference == 0 || serial < history->last_alike)
        return false;
    return row < MOST_EARLY || history->serials[row - MOST_EARLY] < history->first_difference;
}

/* Whether no receive has asked for its message so far. */
static bool is_left(const struct operation *operation)
{
    return (operation->flags & MPILENS_OPERATION_SEND) != 0 && !operation->received && operation->match_rank < 0 &&
           !operation->match_is_possible;
}

const char *history_describe_other_end(const struct message_pairs *pairs, const struct message_end *end)
{
    const struct message_end *other = message_history_other(pairs, end->operation);
    if (other != NULL)
        return arena_text("rank %d: %s %s", other->process->rank, other->operation->details->function,
                          describe_site(other->operation->details->site));
    if (is_left(end->operation))
        return "not received";
    return end->operation->status == mqs_st_pending ? "pending" : "";
}
