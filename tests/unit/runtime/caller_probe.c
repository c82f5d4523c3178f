/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A module that calls the function that it is given.
 */
#include "caller_probe.h"

int caller_probe(int (*send)(const void *, int, int, int, int, int), int datatype, int communicator)
{
    static char buffer[8];
    volatile int error = send(buffer, 1, datatype, 3, 0, communicator); /* not the last thing: no jump */
    return error;
}
