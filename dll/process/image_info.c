/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes and frees the data that the DLL keeps for one image.
 */
#include "process/process.h"

#include "target/target.h"

#include <string.h>

int image_info_set_up(mqs_image *image, const mqs_image_callbacks *given, enum interface interface)
{
    const mqs_basic_callbacks *basic = basic_callbacks();
    if (basic == NULL)
        return MPILENS_ERROR_NO_CALLBACKS;
    if (image == NULL || given == NULL || given->mqs_find_symbol_fp == NULL)
        return MPILENS_ERROR_BAD_ARGUMENT;
    mqs_image_info *info = basic->mqs_get_image_info_fp(image);
    mqs_image_info *former = info_exists(info) && info->image == image ? info : NULL;
    if (former != NULL && !(former->owners.interfaces & interface)) {
        former->owners.interfaces |= interface;
        former->callbacks = given;
        return mqs_ok;
    }
    info = allocate_array(1, sizeof *info);
    if (info == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    info_owners_begin(&info->owners, interface, former != NULL ? &former->owners : NULL);
    if (former != NULL)
        info_owners_leave(&former->owners, interface);
    info->image = image;
    info->callbacks = given;
    basic->mqs_put_image_info_fp(image, info);
    return mqs_ok;
}

int image_find_symbol(mqs_image *image, const char *name, mqs_taddr_t *ret_address)
{
    mqs_image_info *info = image != NULL ? basic_callbacks()->mqs_get_image_info_fp(image) : NULL;
    if (info == NULL || !info_exists(info)) /* a process may outlive it */
        return MPILENS_ERROR_NOT_SET_UP;
    char changeable[64];
    strncpy(changeable, name, sizeof changeable - 1);
    changeable[sizeof changeable - 1] = '\0';
    mqs_taddr_t address = 0;
    if (info->callbacks->mqs_find_symbol_fp(image, changeable, &address) != mqs_ok || address == 0)
        return MPILENS_ERROR_RUNTIME_NOT_LOADED;
    *ret_address = address;
    return mqs_ok;
}
