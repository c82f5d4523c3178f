/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rates how well a message fits a receive, tag, communicator and source aside.
 */
#include "analysis/messages/messages.h"

#include <string.h>

/* Whether it names a datatype of MPI itself that has values of one kind: others may be made of anything. */
static bool is_basic(const char *datatype)
{
    return datatype != NULL && strncmp(datatype, "MPI_", strlen("MPI_")) == 0 &&
           strncmp(datatype, "MPI_Type_", strlen("MPI_Type_")) != 0 && strcmp(datatype, "MPI_PACKED") != 0;
}

/* Languages have names of their own for the same elements, which have the same size then. */
static bool has_other_elements(const struct wanted_message *wanted, const struct operation *message)
{
    return is_basic(wanted->datatype) && is_basic(message->details->datatype) && wanted->count > 0 &&
           message->details->count > 0 &&
           wanted->bytes / wanted->count != message->details->bytes / message->details->count;
}

enum message_fit message_fit(const struct wanted_message *wanted, const struct operation *message)
{
    if (wanted->bytes < 0 || message->details->bytes < 0)
        return FITS_WELL;
    if (has_other_elements(wanted, message) || message->details->bytes > wanted->bytes)
        return FITS_NOT;
    const bool has_other_name = is_basic(wanted->datatype) && is_basic(message->details->datatype) &&
                                strcmp(wanted->datatype, message->details->datatype) != 0;
    return message->details->bytes == wanted->bytes && !has_other_name ? FITS_WELL : FITS_ROOM;
}
