/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes a handle in one sentence: the DLL's, which knows no source lines, and the place.
 */
#include "handle/handle.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>

static char *add_place(const char *sentence, const struct site *site, uint64_t address)
{
    char *place = handle_describe_place(site, address);
    char *whole = format_text("%s%s%s", sentence, place[0] != '\0' ? " at " : "", place);
    free(place);
    return whole;
}

char *handle_datatype_summary(const struct handle_datatype *datatype)
{
    return add_place(datatype->sentence.text, datatype->site, datatype->object.predefined ? 0 : datatype->object.site);
}

/* The DLL knows functions by address only. */
static char *name_function(const struct handle *handle)
{
    const struct handle_sentence *sentence = &handle->sentence;
    const struct site *site = handle->function.site;
    if (sentence->function_bytes == 0 || site == NULL || site->function == NULL)
        return copy_text(sentence->text);
    return format_text("%.*s%s%s", (int)sentence->function_offset, sentence->text, site->function,
                       sentence->text + sentence->function_offset + sentence->function_bytes);
}

char *handle_summary(const struct handle *handle)
{
    if (handle->kind == MPILENS_OBJECT_STATUS)
        return format_text("%s, at 0x%" PRIx64, handle->sentence.text, handle->value);
    if (handle->is_null) {
        char *name = handle_describe_name(handle->value, handle->object.name);
        char *whole = format_text("%s %s: the null handle", mpilens_object_kind_name((int)handle->kind), name);
        free(name);
        return whole;
    }
    if (handle->kind == MPILENS_OBJECT_REQUEST)
        return add_place(handle->sentence.text, handle->request.site, handle->request.site_address);
    char *sentence = name_function(handle);
    char *whole = add_place(sentence, handle->created_site, handle->object.predefined ? 0 : handle->object.site);
    free(sentence);
    return whole;
}
