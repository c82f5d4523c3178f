/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes parts of the object that a handle names.
 */
#include "handle/handle.h"

#include "base/base.h"

#include <inttypes.h>

bool handle_is_gone(const struct handle *handle)
{
    if (handle->kind == MPILENS_OBJECT_REQUEST)
        return false; /* a freed one that is found is under way as far as is known */
    return handle->object.freed != 0 && handle->object.users == 0 && handle->user_count == 0;
}

const char *handle_describe_name(uint64_t handle, const char *name)
{
    if (name == NULL || name[0] == '\0')
        return arena_text("0x%" PRIx64, handle);
    return handle != 0 ? arena_text("%s (0x%" PRIx64 ")", name, handle) : arena_copy(name);
}

const char *handle_describe_place(const struct site *site, uint64_t address)
{
    if (site == NULL)
        return address != 0 ? arena_text("0x%" PRIx64, address) : "";
    if (site->file == NULL)
        return arena_take(site_describe_offset(site));
    return site->line > 0 ? arena_text("%s:%d", site->file, site->line) : arena_copy(site->file);
}

const char *handle_describe_function(const struct handle_function *function)
{
    const struct site *site = function->site;
    if (site == NULL || (site->function == NULL && site->file == NULL))
        return arena_text("0x%" PRIx64, function->address);
    if (site->file == NULL)
        return arena_text("%s of %s", site->function, file_name(site->module));
    return arena_text("%s at %s:%d", site->function != NULL ? site->function : "?", site->file, site->line);
}
