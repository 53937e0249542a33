#pragma once

#include <string>

void write_claims(const std::string& folder);
