! SPDX-License-Identifier: BSD-3-Clause
module exchange_module
  implicit none
  integer, volatile :: row = 4096
  interface
    subroutine stop_here() bind(C, name="stop")
    end subroutine
  end interface
contains
  subroutine exchange(number)
    integer, intent(in) :: number
    integer, volatile :: column(3)
    column = number
    row = row + 0
    call stop_here()  ! in exchange
    column = number + 1
  end subroutine
end module

program halo
  use exchange_module
  implicit none
  call inner(8192)  ! in halo
contains
  subroutine inner(number)
    integer, intent(in) :: number
    integer, volatile :: requests(2)
    requests = number
    call exchange(number)  ! in inner
    requests = number + 1
  end subroutine
end program
