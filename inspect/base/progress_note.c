/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tells whoever wants to know how far a long reading is.
 */
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>

static progress_listener current;

void progress_listen(progress_listener listener)
{
    current = listener;
}

void progress_note(const char *format, ...)
{
    enum { MOST_BYTES = 64 };
    char text[MOST_BYTES];
    va_list arguments;
    if (current == NULL)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    current(text);
}
