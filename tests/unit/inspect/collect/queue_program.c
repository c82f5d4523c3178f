/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stands still with the queue of vendor_program.c in it, until its standard input ends.
 */
#include <stddef.h>
#include <unistd.h>

struct vendor_message;
extern struct vendor_message *vendor_queue;

int main(void)
{
    char byte = 'r';
    if (vendor_queue == NULL)
        return 1;
    do
        if (write(STDOUT_FILENO, &byte, 1) != 1)
            return 1;
    while (read(STDIN_FILENO, &byte, 1) == 1);
    return 0;
}
