! SPDX-License-Identifier: BSD-3-Clause
!
! What differs between the module mpi and mpi_f08 (HANDLES_F08).
#ifdef HANDLES_F08
#define HANDLE(kind) type(kind)
#define STATUS_OF(name) type(MPI_Status) :: name
#define VALUE_OF(handle) handle%MPI_VAL
#define SOURCE_OF(status) status%MPI_SOURCE
#define KIND_AND(kind, name) name
#define MPI_MODULE mpi_f08
#else
#define HANDLE(kind) integer
#define STATUS_OF(name) integer :: name(MPI_STATUS_SIZE)
#define VALUE_OF(handle) handle
#define SOURCE_OF(status) status(MPI_SOURCE)
#define KIND_AND(kind, name) kind//' '//name
#define MPI_MODULE mpi
#endif
