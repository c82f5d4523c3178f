/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Turns symbols of C++ and Fortran into plain function names.
 */
#include "debug/debug.h"

#include "base/base.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* From the C++ runtime library, whose header is for C++ only. */
extern char *__cxa_demangle(const char *symbol, char *buffer, size_t *bytes, int *status);

/* A symbol may repeat parts of itself, and these what they repeat: each repetition can double the name. */
enum { MOST_SYMBOL_BYTES = 1024, MOST_DOUBLINGS = 16, DOUBLINGS_OF_PACK = 8 };

static int count_doublings(const char *symbol)
{
    int count = 0;
    for (const char *at = symbol; *at != '\0'; at++) {
        const char next = at[1];
        if ((at[0] == 'S' || at[0] == 'T') &&
            (next == '_' || isdigit((unsigned char)next) || isupper((unsigned char)next)))
            count++;
        if (strncmp(at, "Dp", 2) == 0 || strncmp(at, "sp", 2) == 0)
            count += DOUBLINGS_OF_PACK;
    }
    return count;
}

/* Where the parameters of the function begin: at the last parenthesis that is open up to the end. */
static size_t find_parameters(const char *name)
{
    const char *end = strrchr(name, ')');
    int open = 0;
    for (const char *at = end; at != NULL && at > name; at--) {
        open += *at == ')' ? 1 : *at == '(' ? -1 : 0;
        if (open == 0)
            return strncmp(at, "()", 2) == 0 && at - name >= 8 && strncmp(at - 8, "operator", 8) == 0
                       ? strlen(name)
                       : (size_t)(at - name);
    }
    return strlen(name);
}

/* Behind the type of the result, which names of templates begin with. */
static size_t find_name(const char *name)
{
    size_t begin = 0;
    int open = 0;
    for (size_t i = 0; name[i] != '\0' && strstr(name, "operator") == NULL; i++) {
        open += strchr("<({[", name[i]) != NULL ? 1 : strchr(">)}]", name[i]) != NULL ? -1 : 0;
        if (name[i] == ' ' && open == 0)
            begin = i + 1;
    }
    return begin;
}

static char *name_of_cplusplus(const char *symbol)
{
    int status = 0;
    if (strncmp(symbol, "_Z", 2) != 0 || strlen(symbol) > MOST_SYMBOL_BYTES || count_doublings(symbol) > MOST_DOUBLINGS)
        return NULL;
    char *whole = __cxa_demangle(symbol, NULL, NULL, &status);
    if (whole == NULL)
        return NULL;
    whole[find_parameters(whole)] = '\0';
    char *name = copy_text(whole + find_name(whole));
    free(whole);
    return name;
}

/* As gfortran makes them: __MODULE_MOD_PROCEDURE. */
static char *name_of_fortran(const char *symbol)
{
    static const char middle[] = "_MOD_";
    const char *found = strncmp(symbol, "__", 2) == 0 ? strstr(symbol + 2, middle) : NULL;
    if (found == NULL || found == symbol + 2 || found[strlen(middle)] == '\0')
        return NULL;
    const char *module = symbol + 2;
    return format_text("%.*s::%s", (int)(found - module), module, found + strlen(middle));
}

char *type_symbol_name(const char *symbol)
{
    int status = 0;
    char *name = strlen(symbol) <= MOST_SYMBOL_BYTES && count_doublings(symbol) <= MOST_DOUBLINGS
                     ? __cxa_demangle(symbol, NULL, NULL, &status)
                     : NULL;
    char *plain = copy_text(name != NULL ? name : symbol);
    free(name);
    return plain;
}

char *plain_symbol_name(const char *symbol)
{
    char *name = name_of_cplusplus(symbol);
    if (name == NULL)
        name = name_of_fortran(symbol);
    return name != NULL ? name : copy_text(symbol);
}
