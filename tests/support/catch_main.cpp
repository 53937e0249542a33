#define CATCH_CONFIG_RUNNER  // Catch2 2 is a header; Catch2 3 passes over this line
#include "tests/support/catch.hpp"

int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
