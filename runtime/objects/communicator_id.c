/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A number is a hash of what all members know: see struct communicator_derivation.
 *
 * Where two groups of processes meet that have no communicator in common, there is little of that. MPI_Comm_join: both
 * ends of the socket have the same two addresses. MPI_Comm_accept and MPI_Comm_connect inside one MPI_COMM_WORLD: both
 * sides know both groups, and have met equally often. Between different worlds both sides know sizes only, the port's
 * name is known to the roots only, and a server meets many clients that each meet it once: no count agrees. The same
 * holds for MPI_Comm_spawn and MPI_Comm_get_parent. An exchange over the new communicator would settle it, and would
 * hang where the other side does not run this library. So there the members of each side agree, the two sides do not.
 */

#include "objects/objects_internal.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

enum { BY_KEY = 3, BY_PARENT = 7, TEXT = 11, SOCKET = 13, MEETING = 17 };

static uint64_t hash_of(const struct mpilens_group *group)
{
    return group != NULL ? group->hash : 0;
}

/* Whether all members are processes of this world. */
static bool is_of_this_world(const struct mpilens_group *group)
{
    const struct mpilens_range *ranges = group != NULL ? (const struct mpilens_range *)(uintptr_t)group->ranges : NULL;
    for (uint32_t i = 0; group != NULL && i < group->range_count; i++)
        if (ranges[i].first < 0)
            return false;
    return group != NULL;
}

/* Both sides of an intercommunicator must get the same number, so their groups are mixed in a fixed order. */
static uint64_t mix_groups(uint64_t id, const struct mpilens_communicator *record)
{
    uint64_t local = hash_of(group_of_side(record, GROUP_LOCAL));
    uint64_t remote = hash_of(group_of_side(record, GROUP_REMOTE));
    if (!record->remote_group)
        return hash_mix(id, local);
    id = hash_mix(id, local < remote ? local : remote);
    return hash_mix(id, local < remote ? remote : local);
}

static uint64_t in_range(uint64_t id)
{
    id &= INT64_MAX;
    return id > COMMUNICATOR_ID_SELF ? id : id + COMMUNICATOR_ID_SELF + 1;
}

uint64_t communicator_id(const struct communicator_derivation *derivation, const struct mpilens_communicator *record)
{
    bool by_key = derivation->by_key;
    uint64_t key = derivation->key;
    bool key_suffices = derivation->meets && by_key && key != 0;
    if (derivation->meets && !key_suffices && is_of_this_world(group_of_side(record, GROUP_LOCAL)) &&
        is_of_this_world(group_of_side(record, GROUP_REMOTE))) {
        by_key = true;
        key = MEETING;
    }
    uint64_t id = hash_mix(by_key ? BY_KEY : BY_PARENT, key);
    if (!key_suffices)
        id = mix_groups(id, record);
    if (by_key)
        id = hash_mix(id, key_count(id));
    return in_range(id);
}

uint64_t communicator_id_of_self(int world_rank)
{
    return in_range(hash_mix(COMMUNICATOR_ID_SELF, (uint64_t)world_rank));
}

uint64_t object_unique_id(enum mpilens_table_kind kind, const struct communicator_derivation *derivation)
{
    if (derivation->parent == NULL)
        return 0;
    uint64_t id = hash_mix(kind, derivation->key) & INT64_MAX;
    return id ? id : 1;
}

uint64_t communicator_text_key(const char *text)
{
    uint64_t key = TEXT;
    for (; text != NULL && *text; text++)
        key = hash_mix(key, (uint8_t)*text);
    return key;
}

/* A number for one end's address, 0: it has none that tells it apart. */
static uint64_t address_hash(int (*ask)(int, struct sockaddr *, socklen_t *), int socket_descriptor)
{
    union {
        struct sockaddr any;
        struct sockaddr_in in;
        struct sockaddr_in6 in6;
        struct sockaddr_storage storage;
    } address;
    socklen_t bytes = sizeof address;
    memset(&address, 0, sizeof address);
    if (ask(socket_descriptor, &address.any, &bytes) != 0)
        return 0;
    uint64_t hash = hash_mix(SOCKET, (uint64_t)address.any.sa_family);
    uint64_t words[2] = {0, 0};
    if (address.any.sa_family == AF_INET) {
        hash = hash_mix(hash, address.in.sin_port);
        return hash_mix(hash, address.in.sin_addr.s_addr);
    }
    if (address.any.sa_family != AF_INET6)
        return 0;
    memcpy(words, &address.in6.sin6_addr, sizeof words);
    return hash_mix(hash_mix(hash_mix(hash, address.in6.sin6_port), words[0]), words[1]);
}

uint64_t communicator_socket_key(int socket_descriptor)
{
    uint64_t own = address_hash(getsockname, socket_descriptor);
    uint64_t other = address_hash(getpeername, socket_descriptor);
    if (own == 0 || other == 0)
        return 0;
    return hash_mix(own < other ? own : other, own < other ? other : own) | 1;
}
