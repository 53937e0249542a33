#pragma once

#include <cstddef>

namespace stepgrad {

constexpr size_t huge_page = size_t{2} << 20;

// Asks for huge pages: packed panels and large tensors would otherwise exhaust the TLB. Where the
// system has none to give, only speed is lost. `block` and `size` are multiples of huge_page.
void use_huge_pages(void* block, size_t size);

}
