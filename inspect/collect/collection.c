/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tells the end of a list of the DLL from an error.
 */
#include "collect/collect.h"

int collection_end(int code)
{
    return code == mqs_end_of_list || code == mqs_no_information ? mqs_ok : code;
}
