/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How well a message fits what a receive wants, tag, communicator and source aside.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_MESSAGES_MESSAGE_FIT_H
#define MPILENS_INSPECT_ANALYSIS_MESSAGES_MESSAGE_FIT_H

#include "analysis/messages/near_miss.h"

enum message_fit {
    FITS_NOT,  /* of other elements, or longer than the receive: it was meant for another one */
    FITS_ROOM, /* shorter than the receive, or of elements of another name */
    FITS_WELL, /* as far as is known */
};

enum message_fit message_fit(const struct wanted_message *wanted, const struct operation *message);

#endif
