#pragma once

#include "core/tensor/tensor.hpp"
