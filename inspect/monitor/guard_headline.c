/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps the verdict in one line.
 */
#include "monitor/monitor_internal.h"

#include "text/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_HEADLINE_BYTES = 8192, MOST_FILE_BYTES = 4096 };

/* Shared with the processes that tell. */
struct headline {
    char text[MOST_HEADLINE_BYTES];
    char file[MOST_FILE_BYTES];
};

static struct headline *headline;

void guard_headline_begin(void)
{
    if (headline == NULL) {
        void *memory = mmap(NULL, sizeof *headline, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        headline = memory != MAP_FAILED ? memory : NULL;
    }
    if (headline != NULL)
        headline->text[0] = headline->file[0] = '\0';
}

void guard_headline_note(const char *text)
{
    if (headline != NULL && headline->text[0] == '\0')
        snprintf(headline->text, sizeof headline->text, "%s", text);
}

void guard_headline_note_finding(const struct finding *finding)
{
    char *text = format_text("%s: %s", finding_kind_name(finding->kind), finding->message);
    guard_headline_note(text);
    free(text);
}

void guard_headline_note_file(const char *path)
{
    if (headline != NULL && headline->file[0] == '\0')
        snprintf(headline->file, sizeof headline->file, "%s", path);
}

const char *guard_headline_file(void)
{
    return headline != NULL ? headline->file : "";
}

bool guard_headline_is_known(void)
{
    return headline != NULL && headline->text[0] != '\0';
}

void guard_headline_tell(FILE *stream, void *context)
{
    (void)context;
    const bool has_file = headline->file[0] != '\0';
    print_line(stream, "mpilens: %s%s%s", headline->text, has_file ? "; see: mpilens why " : "", headline->file);
}
