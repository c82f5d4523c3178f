/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tracks the interfaces that use each image or process, in one list.
 */
#include "process/process.h"

#include "target/target.h"

static struct info_owners *infos;

void info_owners_begin(struct info_owners *owners, enum interface interface, struct info_owners *former)
{
    *owners = (struct info_owners){infos, former, interface, basic_callbacks()};
    infos = owners;
}

bool info_exists(const void *info)
{
    for (const struct info_owners *known = infos; info != NULL && known != NULL; known = known->next)
        if (known == info)
            return true;
    return false;
}

bool info_owners_leave(struct info_owners *owners, enum interface interface)
{
    owners->interfaces = owners->interfaces & interface ? owners->interfaces & ~(unsigned)interface : 0;
    return owners->interfaces == 0;
}

void info_release(struct info_owners *owners)
{
    for (struct info_owners **place = &infos; *place != NULL; place = &(*place)->next)
        if (*place == owners) {
            *place = owners->next;
            break;
        }
    struct info_owners *former = owners->former;
    owners->memory->mqs_free_fp(owners);
    if (info_exists(former) && former->interfaces == 0)
        info_release(former);
}
