#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace stepgrad {

// A temporary file of this process, in memory if possible.
inline const std::string& scratch_file() {
  static const struct Folder {
    std::string path = std::filesystem::exists("/dev/shm") ? "/dev/shm/stepgrad_fuzz_XXXXXX"
                                                           : "/tmp/stepgrad_fuzz_XXXXXX";
    std::string file;
    Folder() {
      if (!mkdtemp(path.data())) abort();
      file = path + "/file";
    }
    ~Folder() { std::filesystem::remove_all(path); }
  } folder;
  return folder.file;
}

}  // namespace stepgrad
