/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prototypes of functions that MPI-3.0 has removed (MPI-4.0, section 16.2) and that make or change objects, for mpi.h
 * that hide what their library still exports.
 */
int MPI_Errhandler_create(void (*comm_errhandler_fn)(MPI_Comm *, int *, ...), MPI_Errhandler *errhandler);
int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler);
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler);
int MPI_Type_hindexed(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[], MPI_Datatype oldtype,
                      MPI_Datatype *newtype);
int MPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype);
int MPI_Type_struct(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[],
                    MPI_Datatype array_of_types[], MPI_Datatype *newtype);
