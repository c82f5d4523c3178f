/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes a handle in one sentence: the DLL's, which knows no source lines, and the place.
 */
#include "handle/handle.h"

#include "base/base.h"

#include <inttypes.h>

static const char *add_place(const char *sentence, const struct site *site, uint64_t address)
{
    const char *place = handle_describe_place(site, address);
    return arena_text("%s%s%s", sentence, place[0] != '\0' ? " at " : "", place);
}

const char *handle_datatype_summary(const struct handle_datatype *datatype)
{
    return add_place(datatype->sentence.text, datatype->site, datatype->object.predefined ? 0 : datatype->object.site);
}

/* The DLL knows functions by address only. */
static const char *name_function(const struct handle *handle)
{
    const struct handle_sentence *sentence = &handle->sentence;
    const struct site *site = handle->function.site;
    if (sentence->function_bytes == 0 || site == NULL || site->function == NULL)
        return arena_copy(sentence->text);
    return arena_text("%.*s%s%s", (int)sentence->function_offset, sentence->text, site->function,
                      sentence->text + sentence->function_offset + sentence->function_bytes);
}

const char *handle_summary(const struct handle *handle)
{
    if (handle->kind == MPILENS_OBJECT_STATUS)
        return arena_text("%s, at 0x%" PRIx64, handle->sentence.text, handle->value);
    if (handle->is_null) {
        const char *name = handle_describe_name(handle->value, handle->object.name);
        return arena_text("%s %s: the null handle", mpilens_object_kind_name((int)handle->kind), name);
    }
    if (handle->kind == MPILENS_OBJECT_REQUEST)
        return add_place(handle->sentence.text, handle->created_site, handle->object.site);
    const char *sentence = name_function(handle);
    return add_place(sentence, handle->created_site, handle->object.predefined ? 0 : handle->object.site);
}
