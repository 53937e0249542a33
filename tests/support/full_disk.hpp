#pragma once

#include <sys/resource.h>

#include <csignal>

namespace stepgrad {

// While one lives, no file of this process grows beyond that many bytes, as on a full disk.
struct FullDisk {
  explicit FullDisk(rlim_t most) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit less{most, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &less);
  }
  ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before); }
  rlimit before;
};

}  // namespace stepgrad
