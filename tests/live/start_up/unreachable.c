/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stands between the runtime and MPI: rank 1 connects in MPI_Init with an address of docker0 at which nobody answers.
 */
#include <arpa/inet.h>
#include <mpi.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { port = 1024 };

static int reach_peer(void)
{
    struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = htons(port)};
    inet_pton(AF_INET, "172.17.0.2", &peer.sin_addr);
    return connect(socket(AF_INET, SOCK_STREAM, 0), (const struct sockaddr *)&peer, sizeof peer);
}

int MPI_Init(int *argc, char ***argv)
{
    const char *rank = getenv("PMI_RANK") != NULL ? getenv("PMI_RANK") : getenv("OMPI_COMM_WORLD_RANK");
    if (rank != NULL && strcmp(rank, "1") == 0 && reach_peer() == 0)
        return MPI_ERR_OTHER;
    return PMPI_Init(argc, argv);
}
