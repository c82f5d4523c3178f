/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the DLL keeps for one image.
 */
#ifndef MPILENS_DLL_PROCESS_IMAGE_INFO_H
#define MPILENS_DLL_PROCESS_IMAGE_INFO_H

#include "process/info_owners.h"

struct _mqs_image_info {
    struct info_owners owners;
    mqs_image *image;
    const mqs_image_callbacks *callbacks;
};

/* An info hangs on the image from now on, for that interface too. mqs_ok or a code. */
int image_info_set_up(mqs_image *image, const mqs_image_callbacks *given, enum interface interface);

/* Address of a symbol in the image that the process is an instance of. mqs_ok or a code. */
int image_find_symbol(mqs_image *image, const char *name, mqs_taddr_t *ret_address);

#endif
