/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Windows of every flavor in every epoch, for `mpilens handle`.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "ask.h"

static int rank, other;
static int memory[4];
static MPI_Group all, peer;

/* `more`: further members of the detail, each after a comma; nothing more where it is empty. */
static void ask_epoch(MPI_Win window, const char *access, const char *exposure, const char *last, const char *more)
{
    MPI_Comm world = MPI_COMM_WORLD;
    ask(HANDLE_OF("win", window),
        "{\"kind\": \"window\", \"handle\": \"%s\", \"fortran\": %d, \"predefined\": false, \"null\": false, "
        "\"freed_by_application\": false, \"freed_by_mpi\": false, \"detail\": {\"communicator\": \"%s\", "
        "\"access_epoch\": %s, \"exposure_epoch\": %s, \"last_synchronization\": %s%s}}",
        TEXT_OF(window), MPI_Win_c2f(window), TEXT_OF(world), access, exposure, last, more);
}

#define AT(function, mark) "{\"function\": \"" function "\", \"site\": {\"mark\": \"" mark "\"}}"

static MPI_Win create(void)
{
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    return window;
}

static void fences(void)
{
    char text[512];
    void *base;
    MPI_Win window;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "true");
    MPI_Win_allocate(sizeof memory, sizeof *memory, info, MPI_COMM_WORLD, &base, &window);
    MPI_Win_fence(0, window); /* LINE(fence) */
    snprintf(text, sizeof text,
             ", \"flavor\": \"allocate\", \"base\": \"%s\", \"bytes\": 16, \"displacement_unit\": 4, \"info\": "
             "{\"no_locks\": \"true\"}, \"locks\": [], \"group\": null",
             ask_text((uint64_t)(uintptr_t)base));
    ask_epoch(window, "\"fence\"", "\"fence\"", AT("MPI_Win_fence", "fence"), text);
    ask(HANDLE_OF("info", info), "{\"detail\": {\"used_by\": [{\"kind\": \"window\", \"handle\": \"%s\"}]}}",
        TEXT_OF(window));
    window = create();
    MPI_Win_fence(0, window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window); /* LINE(last_fence) */
    ask_epoch(window, "null", "null", AT("MPI_Win_fence", "last_fence"), ", \"flavor\": \"create\", \"info\": {}");
}

static void groups(void)
{
    MPI_Win window = create();
    if (rank == 0) {
        MPI_Win_post(peer, 0, window); /* LINE(post) */
        ask_epoch(window, "null", "\"post\"", AT("MPI_Win_post", "post"),
                  ", \"group\": [{\"first\": 1, \"stride\": 1, \"count\": 1}], \"exposure_group\": [{\"first\": 1, "
                  "\"stride\": 1, \"count\": 1}], "
                  "\"access_group\": null");
        ask(HANDLE_OF("group", peer), "{\"detail\": {\"windows\": [\"%s\"]}}", TEXT_OF(window));
    } else {
        MPI_Win_start(peer, 0, window); /* LINE(start) */
        ask_epoch(window, "\"start\"", "null", AT("MPI_Win_start", "start"),
                  ", \"group\": [{\"first\": 0, \"stride\": 1, \"count\": 1}], \"exposure_group\": null, "
                  "\"access_group\": [{\"first\": 0, \"stride\": 1, \"count\": 1}]");
        ask(HANDLE_OF("group", peer), "{\"detail\": {\"windows\": [\"%s\"]}}", TEXT_OF(window));
    }
    MPI_Group self;
    MPI_Group_incl(all, 1, &rank, &self);
    window = create();
    MPI_Win_post(self, 0, window);
    MPI_Win_start(self, 0, window);
    MPI_Win_complete(window); /* LINE(complete) */
    ask_epoch(window, "null", "\"post\"", AT("MPI_Win_complete", "complete"), ", \"access_group\": null");
    window = create();
    MPI_Win_post(self, 0, window);
    MPI_Win_start(self, 0, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window); /* LINE(wait) */
    ask_epoch(window, "null", "null", AT("MPI_Win_wait", "wait"), ", \"exposure_group\": null, \"group\": null");
    ask(HANDLE_OF("group", all), "{\"detail\": {\"windows\": []}}");
}

static void locks(void)
{
    char text[512];
    void *base;
    MPI_Win window, dynamic, unlocked, unused;
    MPI_Request request;
    MPI_Win_allocate_shared(sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
    MPI_Win_lock_all(0, window);                                          /* LINE(lock_all) */
    MPI_Rput(memory, 1, MPI_INT, other, 0, 1, MPI_INT, window, &request); /* LINE(rput) */
    snprintf(text, sizeof text,
             ", \"flavor\": \"shared\", \"locks\": [], \"operations\": 1, \"operations_since\": 1, \"requests\": "
             "[\"%s\"]",
             TEXT_OF(request));
    ask_epoch(window, "\"lock_all\"", "null", AT("MPI_Win_lock_all", "lock_all"), text);
    ask(HANDLE_OF("request", request),
        "{\"created\": " AT(
            "MPI_Rput", "rput") ", \"detail\": {\"class\": \"one-sided\", \"object\": {\"kind\": "
                                "\"window\"}, \"target\": {\"local\": %d, \"world\": %d}, \"count\": 1, \"bytes\": 4}}",
        other, other);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, other, 0, dynamic); /* LINE(lock) */
    snprintf(text, sizeof text,
             ", \"flavor\": \"dynamic\", \"base\": null, \"locks\": [{\"target\": {\"local\": %d}, \"type\": "
             "\"exclusive\", \"site\": "
             "{\"mark\": \"lock\"}}]",
             other);
    ask_epoch(dynamic, "\"lock\"", "null", AT("MPI_Win_lock", "lock"), text);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &unlocked);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, unlocked);
    MPI_Win_unlock(rank, unlocked); /* LINE(unlock) */
    ask_epoch(unlocked, "null", "null", AT("MPI_Win_unlock", "unlock"), ", \"locks\": []");
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &unused);
    ask_epoch(unused, "null", "null", "null", ", \"locks\": [], \"requests\": [], \"operations\": 0");
}

int main(int argc, char **argv)
{
    int value;
    MPI_Init(&argc, &argv);
    rank = ask_begin();
    other = 1 - rank;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &other, &peer);
    fences();
    groups();
    locks();
    ask_end();
    MPI_Recv(&value, 1, MPI_INT, other, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
