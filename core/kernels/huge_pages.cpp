#include "core/kernels/huge_pages.hpp"

#include <sys/mman.h>

void stepgrad::use_huge_pages(void* block, size_t size) { madvise(block, size, MADV_HUGEPAGE); }
