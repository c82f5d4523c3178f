! SPDX-License-Identifier: BSD-3-Clause
!
! For the Fortran programs that `mpilens handle` is asked about: ask.c, and parts of answers.
#include "language.inc"

module handle_questions
    use, intrinsic :: iso_c_binding
    use MPI_MODULE
    implicit none

    interface
        subroutine ask_fortran(kind, value, variable, answer) bind(c)
            import c_char, c_int
            character(kind=c_char), intent(in) :: kind(*), variable(*), answer(*)
            integer(c_int), intent(in) :: value
        end subroutine
        subroutine ask_variable(variable, answer) bind(c)
            import c_char
            character(kind=c_char), intent(in) :: variable(*), answer(*)
        end subroutine
        subroutine ask_fortran_in_vain(kind, value, text) bind(c)
            import c_char, c_int
            character(kind=c_char), intent(in) :: kind(*), text(*)
            integer(c_int), intent(in) :: value
        end subroutine
        integer(c_int) function ask_begin() bind(c)
            import c_int
        end function
        subroutine ask_end() bind(c)
        end subroutine
    end interface

contains
    ! By the integer, and by the variable where a name is given.
    subroutine ask(kind, value, name, answer)
        character(*), intent(in) :: kind, name, answer
        integer, intent(in) :: value
        call ask_fortran(kind//c_null_char, value, name//c_null_char, answer//c_null_char)
    end subroutine

    subroutine ask_name(name, answer)
        character(*), intent(in) :: name, answer
        call ask_variable(name//c_null_char, answer//c_null_char)
    end subroutine

    subroutine ask_in_vain(kind, value)
        character(*), intent(in) :: kind
        integer, intent(in) :: value
        call ask_fortran_in_vain(kind//c_null_char, value, 'not found'//c_null_char)
    end subroutine

    ! {"function": ..., "site": ...}
    function call_at(function, mark) result(text)
        character(*), intent(in) :: function, mark
        character(:), allocatable :: text
        text = '{"function": "'//function//'", "site": {"mark": "'//mark//'"}}'
    end function

    subroutine ask_null(kind, value, name, constant)
        character(*), intent(in) :: kind, name, constant
        integer, intent(in) :: value
        call ask(kind, value, name, '"null": true, "predefined": true, "name": "'//constant//'", "detail": null')
    end subroutine

    subroutine ask_predefined(kind, value, name, constant)
        character(*), intent(in) :: kind, name, constant
        integer, intent(in) :: value
        call ask(kind, value, name, '"null": false, "predefined": true, "freed_by_application": false, "created": null, '// &
                 '"name": "'//constant//'"')
    end subroutine

    ! Freed, and nothing refers to it.
    subroutine ask_freed(kind, value, maker, freer)
        character(*), intent(in) :: kind, maker, freer
        integer, intent(in) :: value
        call ask(kind, value, '', '"null": false, "predefined": false, "freed_by_application": true, "freed_by_mpi": true, '// &
                 '"created": '//call_at(maker, kind//'_made')//', "freed": '//call_at(freer, kind//'_freed'))
    end subroutine

    ! Its handle may have been that of a freed one.
    subroutine ask_reused(kind, value, name)
        character(*), intent(in) :: kind, name
        integer, intent(in) :: value
        call ask(kind, value, name, '"freed_by_application": false, "freed": null, "created": {"site": {"mark": "'// &
                 kind//'_again"}}')
    end subroutine

    function number(value) result(text)
        integer, intent(in) :: value
        character(:), allocatable :: text
        character(16) :: digits
        write (digits, '(i0)') value
        text = trim(digits)
    end function

    ! A file in the directory of the test.
    function path_of(name) result(path)
        character(*), intent(in) :: name
        character(:), allocatable :: path
        character(4096) :: directory
        integer :: length, error
        call get_environment_variable('MPILENS_LIVE_DIRECTORY', directory, length, error)
        path = name
        if (error == 0) path = directory(1:length)//'/'//name
    end function
end module
